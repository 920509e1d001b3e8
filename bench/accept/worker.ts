import pg from 'pg';
import type { AcceptableMessage } from '../../server/store/rows.ts';
import { acceptableMessage } from '../messages.ts';
import { type BenchTenant, openBenchStore } from '../tenant.ts';
import { insertBare } from './bare.ts';

// The process that writes: node bench/accept/worker.ts '{"databaseUrl": ..., "tenant": ..., ...}', then a slice a message.

export interface WorkerOptions {
  databaseUrl: string;
  tenant: BenchTenant;
  organisationId: string;
  concurrency: number;
  batch: number;
}

/** What is measured next. */
export interface Slice {
  arm: 'store' | 'bare';
  seconds: number;
}

/** How much was written. */
export interface SliceResult {
  messages: number;
  seconds: number;
}

const { databaseUrl, tenant, organisationId, concurrency, batch } = JSON.parse(
  process.argv[2] ?? '{}',
) as WorkerOptions;
const [account] = tenant.accounts;
const accountId = account?.account_id ?? '';
const arms = { store: await storeArm(), bare: await bareArm() };
let numbered = 0;

process.on('message', (slice: Slice) => void run(slice));
process.once('SIGTERM', () => process.exit());
process.once('disconnect', () => process.exit());
process.send?.('ready');

async function run({ arm, seconds }: Slice): Promise<void> {
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  let messages = 0;
  const write = async () => {
    while (performance.now() < end) {
      await arms[arm](nextBatch());
      messages += batch;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, write));
  const result: SliceResult = { messages, seconds: (performance.now() - startedAt) / 1000 };
  process.send?.(result);
}

function nextBatch(): AcceptableMessage[] {
  return Array.from({ length: batch }, () => {
    numbered += 1;
    return acceptableMessage(tenant.from_email, numbered);
  });
}

async function storeArm(): Promise<(batch: AcceptableMessage[]) => Promise<void>> {
  const { store } = await openBenchStore(databaseUrl);
  const caller = await store.authentication.byToken(tenant.token);
  if (caller === undefined) throw new Error('the token of the tenant is not known');
  const { messages } = store.forOrganisation(caller.organisationId);
  return async (candidates) => {
    const results = await messages.accept(accountId, candidates);
    const rejected = results.find((result) => 'rejected' in result);
    if (rejected !== undefined) throw new Error(`rejected: ${JSON.stringify(rejected)}`);
  };
}

async function bareArm(): Promise<(batch: AcceptableMessage[]) => Promise<void>> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: concurrency, options: '-c TimeZone=UTC' });
  const owner = { organisationId, accountId, domainId: tenant.domain_id };
  return async (candidates) => {
    const client = await pool.connect();
    await insertBare(client, owner, candidates);
    client.release();
  };
}
