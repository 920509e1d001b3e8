import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Database } from './database.ts';

const WINDOW_SECONDS = 60;
const TABLE = 'rate_limits';

/**
 * Counts the requests of callers in PostgreSQL, where all processes of the service count them together. While the database
 * fails, each process counts for itself. Undefined for the embedded database, which belongs to one process.
 */
export function createSharedCounter(database: Database, perMinute: number): RateLimiterPostgres | undefined {
  if (database.kind === 'pglite' || perMinute === 0) return undefined;
  const limit = { points: perMinute, duration: WINDOW_SECONDS };
  return new RateLimiterPostgres({
    ...limit,
    storeClient: database.pool,
    storeType: 'pool',
    tableName: TABLE,
    tableCreated: true,
    keyPrefix: '',
    // A caller who is over the limit costs the database nothing until the minute is over.
    inMemoryBlockOnConsumed: perMinute + 1,
    insuranceLimiter: new RateLimiterMemory(limit),
  });
}
