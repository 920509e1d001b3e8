import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCaught } from '../broken/catch.ts';
import { FAULTS, type FaultId, isFaultId } from '../broken/faults.ts';
import { startBrokenServer } from '../broken/server.ts';
import { search } from './search.ts';

// How many planted faults Schemathesis sees with its defaults, beside the suite. A run takes a minute or so, so that only every
// twentieth fault is tried unless --every says otherwise. What it finds on sound servers too is not counted, and neither is where
// it ends early because it has changed the password that it logs in with.

const SOUND_SEEDS = ['1', '2', '3', '4'];
const SEED = '5';
const AT_ONCE = 2;

/** What Schemathesis objects to in a server with these faults: `ST103 Undocumented status code: POST /v1/suppressions`. */
async function objections(faults: readonly FaultId[], seed: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sendspec-compare-'));
  const server = await startBrokenServer({ faults });
  try {
    const targetFile = join(folder, 'target.json');
    await writeFile(targetFile, JSON.stringify(server.target));
    const { failures } = await search(targetFile, seed, false);
    return failures.filter((failure) => failure.startsWith('ST'));
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

async function side<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const { values } = parseArgs({ options: { every: { type: 'string', default: '20' } } });
const step = Number(values.every);
if (!Number.isInteger(step) || step < 1) throw new RangeError('--every must be a whole number from 1');
const faults = Object.keys(FAULTS)
  .filter(isFaultId)
  .filter((_fault, index) => index % step === Math.floor(step / 3) + 1);

const known = new Set<string>();
await side(SOUND_SEEDS, async (seed) => {
  for (const objection of await objections([], seed)) known.add(objection);
});
const seen: FaultId[] = [];
await side(faults, async (fault) => {
  const news = (await objections([fault], SEED)).filter((objection) => !known.has(objection));
  if (news.length > 0) seen.push(fault);
  console.log(`${fault}: ${news.length > 0 ? news.join(', ') : 'not seen'}`);
});
const caught = readCaught();
console.log(`\n${faults.length} planted faults, every ${step}th of ${Object.keys(FAULTS).length}`);
console.log(`Schemathesis with its defaults: ${seen.length}`);
console.log(`this suite: ${faults.filter((fault) => caught[fault] !== undefined).length}`);
