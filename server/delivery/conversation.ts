import type { ConnectionPool } from './connection-pool.ts';
import type { Attempt, ComposedMail } from './mail.ts';
import { ConnectFailure, type SmtpSession } from './smtp-session.ts';

/** Sends one mail over a connection to the destination `name`, new or kept. An attempt that fails is an Attempt. */
export async function conversation(
  pool: ConnectionPool,
  name: string,
  open: (signal: AbortSignal) => Promise<SmtpSession>,
  mail: ComposedMail,
): Promise<Attempt> {
  try {
    return await pool.use(name, open, async (session, reused) => {
      const outcome = await session.send(mail, reused);
      if (outcome !== undefined && outcome.verdict.event !== 'delivery') await session.reset();
      return outcome;
    });
  } catch (error) {
    if (error instanceof ConnectFailure) return error.outcome;
    throw error;
  }
}
