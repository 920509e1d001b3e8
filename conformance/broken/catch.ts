import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Catalogue, decides, loadCatalogue, type Requirement } from '../requirements/catalogue.ts';
import { runConformance } from '../run.ts';
import { CHECKS } from '../scenarios/index.ts';
import type { CheckRun } from '../suite/violation.ts';
import { FAULTS, type FaultId, isFaultId } from './faults.ts';
import { startBrokenServer } from './server.ts';

// Plants every fault in turn, lets the suite loose on it, and writes down the check that catches it and the requirement that it
// cites: caught.json, which the tests hold the suite to. With --missing only the faults that are not in the file yet.

/** The check that catches a fault, and the requirement that it then says is broken. */
export interface Catch {
  readonly check: string;
  readonly requirement: string;
}

const FILE = new URL('caught.json', import.meta.url);
const EFFORT = 1;
const SEED = 1;
const AT_ONCE = 4;

/** What is in the file: fault -> catch. */
export function readCaught(): Partial<Record<FaultId, Catch>> {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

/** Runs these checks against a server with the fault; what each of them said is broken. */
export async function violationsOf(fault: FaultId, only?: readonly string[]): Promise<readonly Catch[]> {
  const server = await startBrokenServer({ faults: [fault] });
  try {
    const { runs } = await runConformance({
      target: { target: server.target, ca: undefined },
      seed: SEED,
      effort: EFFORT,
      ...(only === undefined ? {} : { only }),
    });
    return [...runs].flatMap(([check, run]) => citedBy(run).map((requirement) => ({ check, requirement })));
  } finally {
    await server.stop();
  }
}

function citedBy({ outcome }: CheckRun): readonly string[] {
  return outcome.kind === 'failed'
    ? [...new Set(outcome.violations.map(({ requirement }) => requirement))]
    : [];
}

/** Tries the checks that are likely to see it, then all. */
async function catchOf(fault: FaultId, catalogue: Catalogue): Promise<Catch | undefined> {
  // Everything at once would take many minutes where the fault only shows under a rate limit.
  const stages = FAULTS[fault].rateLimit === undefined ? [undefined] : [];
  for (const only of [likelyChecks(fault, catalogue), ...stages]) {
    if (only?.length === 0) continue;
    for (const one of byWorth(await violationsOf(fault, only), fault, catalogue)) {
      // Beside others a check may see what they made; it counts if it sees the fault by itself.
      const alone = await violationsOf(fault, [one.check]);
      if (alone.some(({ requirement }) => requirement === one.requirement)) return one;
    }
  }
  return undefined;
}

function likelyChecks(fault: FaultId, catalogue: Catalogue): readonly string[] {
  const area = areaOf(fault).replaceAll('-', '_');
  const mapped = catalogue.requirements.filter(
    (each) => each.id.startsWith(`${area}.`) && !each.checks.includes('*'),
  );
  const ids = CHECKS.filter(({ id }) => mapped.some((requirement) => decides(id, requirement))).map(
    ({ id }) => id,
  );
  return ids.filter((id) => !id.startsWith('fuzz/'));
}

function areaOf(fault: FaultId): string {
  return fault.slice(0, fault.indexOf('.'));
}

/** The catch that says most first: by a requirement on the fault's own area and operations, and by a sentence rather than by a shape. */
function byWorth(catches: readonly Catch[], fault: FaultId, catalogue: Catalogue): readonly Catch[] {
  const worth = ({ check, requirement }: Catch): number => {
    const cited = catalogue.requirement(requirement);
    return cited === undefined ? 0 : worthOf(cited, fault) - (check.startsWith('fuzz/') ? 1 : 0);
  };
  return catches.toSorted((one, other) => worth(other) - worth(one) || (one.check < other.check ? -1 : 1));
}

function worthOf({ id, operations, level }: Requirement, fault: FaultId): number {
  const about: readonly string[] = FAULTS[fault].operations;
  const isItsArea = id.startsWith(`${areaOf(fault).replaceAll('-', '_')}.`);
  const isItsOperation = operations.some((operation) => about.includes(operation));
  return (
    (isItsArea ? 8 : 0) +
    (isItsOperation ? 4 : 0) +
    (level === 'MUST' ? 2 : 0) +
    (id.startsWith('http.') ? 0 : 1)
  );
}

/** Looks for the catches of these faults, some side by side, and tells of each as soon as it is known. */
async function catchAll(
  faults: readonly FaultId[],
  onResult: (fault: FaultId, found: Catch | undefined) => void,
): Promise<void> {
  const catalogue = loadCatalogue();
  const waiting = [...faults];
  const work = async () => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift())
      onResult(fault, await catchOf(fault, catalogue));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { missing: { type: 'boolean' } } });
  const ids = Object.keys(FAULTS).filter(isFaultId);
  const found = new Map<FaultId, Catch>();
  const known = values.missing === true ? readCaught() : {};
  const left = ids.filter((id) => known[id] === undefined);
  const write = () => {
    const caught = ids.flatMap((id) => {
      const one = found.get(id) ?? known[id];
      return one === undefined ? [] : [[id, one] as const];
    });
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(caught), undefined, 2)}\n`);
    return caught.length;
  };
  let done = 0;
  await catchAll(left, (fault, one) => {
    done += 1;
    if (one !== undefined) found.set(fault, one);
    console.log(
      `${done}/${left.length} ${fault}: ${one === undefined ? 'MISSED' : `${one.check}, ${one.requirement}`}`,
    );
    write();
  });
  const count = write();
  console.log(`${count} of ${ids.length} faults caught`);
  if (count < ids.length) process.exitCode = 1;
}

if (import.meta.main) await main();
