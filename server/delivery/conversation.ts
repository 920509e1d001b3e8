import type { ConnectionPool } from './connection-pool.ts';
import type { Destination } from './destination.ts';
import type { ComposedMail } from './mail.ts';
import { ConnectFailure, type SmtpOutcome, type SmtpSession } from './smtp-session.ts';

/** Sends one mail over a connection to a host of the destination, new or kept. An attempt that fails is an outcome. */
export async function conversation(
  pool: ConnectionPool,
  destination: Destination,
  host: string,
  open: (signal: AbortSignal) => Promise<SmtpSession>,
  mail: ComposedMail,
): Promise<SmtpOutcome> {
  try {
    return await pool.use(destination, host, open, async (session, reused) => {
      const outcome = await session.send(mail, reused);
      if (outcome !== undefined && outcome.verdict.event !== 'delivery') await session.reset();
      return outcome;
    });
  } catch (error) {
    if (error instanceof ConnectFailure) return error.outcome;
    throw error;
  }
}
