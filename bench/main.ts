import { createContext } from './context.ts';
import { BENCHES } from './figures/index.ts';
import { findPostgres, POSTGRES_URL } from './postgres.ts';
import { type BenchResult, render } from './report.ts';

// node bench/main.ts [--quick] [name ...]: measures the figures of the README and prints them as Markdown.

const FAILURE = 1;
const USAGE = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const isQuick = args.includes('--quick');
  const names = args.filter((arg) => arg !== '--quick');
  const known = BENCHES.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(
      `There is no bench ${unknown.join(', ')}. Usage: npm run bench -- [--quick] [${known.join(' | ')} ...]`,
    );
    return USAGE;
  }
  const wanted = BENCHES.filter(({ name }) => names.length === 0 || names.includes(name));
  return await runAll(wanted, isQuick);
}

async function runAll(benches: typeof BENCHES, isQuick: boolean): Promise<number> {
  const postgres = await findPostgres();
  if (postgres === undefined) {
    progress(
      `No PostgreSQL answers at ${withoutPassword(POSTGRES_URL)} (DATABASE_URL): what needs one is left out.`,
    );
  }
  const results: BenchResult[] = [];
  const failed: string[] = [];
  for (const { name, run } of benches) {
    progress(`${name} ...`);
    const { context, cleanUp } = createContext({ isQuick, postgres, progress });
    const interrupt = () => void cleanUp().finally(() => process.exit(FAILURE));
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
    try {
      results.push(await run(context));
    } catch (error) {
      failed.push(name);
      console.error(`${name} failed:`, error);
    } finally {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
      await cleanUp();
    }
  }
  console.log(render(results, postgres?.version));
  if (isQuick) progress('A quick run only shows that everything works: its numbers say nothing.');
  return failed.length === 0 ? 0 : FAILURE;
}

function progress(text: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}

function withoutPassword(url: string): string {
  return url.replace(/:[^:@/]*@/, '@');
}
