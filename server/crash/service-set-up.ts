import { SystemClock } from '../domain/time.ts';
import { prepareDemo } from '../sandbox/demo.ts';
import type { TargetTenant } from '../sandbox/target.ts';
import { openDatabase } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';
import { openStore } from '../store/open-store.ts';
import { createQueue, type Queue } from '../store/queue.ts';

/** Makes the tables, and an organisation that can send. */
export async function prepareOrganisation(databaseUrl: string, folder: string): Promise<TargetTenant> {
  const database = await openDatabase({ databaseUrl });
  const clock = new SystemClock();
  await migrate(database);
  const queue = createQueue({ database, clock });
  await queue.start();
  try {
    const store = openStore({ database, queue, clock, mailHostname: 'mail.sendspec.test' });
    const [tenant] = await prepareDemo(store, folder);
    if (tenant === undefined) throw new Error('There is no demo organisation.');
    return tenant;
  } finally {
    await queue.stop();
    await database.close();
  }
}

/** The queue as an onlooker sees it, who can make time pass for what waits. */
export async function watchQueue(
  databaseUrl: string,
): Promise<Pick<Queue, 'advance' | 'depth'> & { close(): Promise<void> }> {
  const database = await openDatabase({ databaseUrl, poolSize: 1 });
  const queue = createQueue({ database, clock: new SystemClock() });
  return {
    advance: (seconds) => queue.advance(seconds),
    depth: () => queue.depth(),
    close: () => database.close(),
  };
}
