import fc, { type Arbitrary } from 'fast-check';
import { byteMutations } from '../../arbitraries/byte-faults.ts';
import { type BrokenRequest, describeFault, type Mutation } from '../../arbitraries/fault.ts';
import { mutationsOf } from '../../arbitraries/mutations.ts';
import { type RequestParts, validRequests } from '../../arbitraries/requests.ts';
import type { Operation, OperationId } from '../../contract/document.ts';
import type { Check } from '../../suite/check.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import { Violation } from '../../suite/violation.ts';
import { type Made, withMade } from '../support/made.ts';
import { isWelcome, objectionTo, requirementOf } from './expectation.ts';
import { batchOfOne } from './mail-stages.ts';
import { renewed, type Stage, type Staging } from './stage.ts';

const ACCEPTED = 'conventions.valid-input-is-accepted';
const VALID_RUNS = 12;
// Each costs a password hash, or leaves behind what nothing can delete.
const COSTLY_RUNS = 3;
const COSTLY = new Set<OperationId>([
  'login',
  'logout',
  'refreshToken',
  'register',
  'createUser',
  'deleteUser',
]);
const INVALID_RUNS = 3;
const BYTES_RUNS = 1;
const MOST_VIOLATIONS = 3;
const SHOWN = 300;

/** The checks of one operation: good requests, bad ones, and bytes that are no JSON. */
export function fuzzChecks(operation: Operation, staging: Staging): Check[] {
  const { id, body, parameters, origin } = operation;
  const profile = origin === 'extension' ? ({ profile: 'extensions' } as const) : {};
  const check = (kind: string, title: string, run: Check['run']): Check => ({
    id: `fuzz/${id}-${kind}`,
    title,
    run,
    ...profile,
  });
  const checks = [
    check('valid', `${id} accepts whatever the contract lets a request say`, (t) =>
      staged(t, staging, (stage) => acceptsValid(t, id, stage)),
    ),
  ];
  if (body !== undefined || parameters.length > 0)
    checks.push(
      check('invalid', `${id} refuses a request in which one thing is wrong, and nothing comes of it`, (t) =>
        staged(t, staging, (stage) => refusesInvalid(t, id, stage)),
      ),
    );
  if (body !== undefined)
    checks.push(
      check(
        'malformed-bytes',
        `${id} refuses bytes that are no JSON, and survives JSON that is strange`,
        (t) => staged(t, staging, (stage) => survivesBytes(t, id, stage)),
      ),
    );
  return checks;
}

function staged(t: Tester, staging: Staging, work: (stage: Stage) => Promise<void>): Promise<void> {
  return withMade(t, async (made: Made) => {
    const stage = await staging(t, made);
    try {
      await work(stage);
    } finally {
      await stage.clean?.();
    }
  });
}

async function acceptsValid(t: Tester, id: OperationId, { own, fresh, adopt }: Stage): Promise<void> {
  const runs = COSTLY.has(id) ? COSTLY_RUNS : VALID_RUNS;
  await t.property(
    validRequests(id, own),
    async (request) => {
      const { path, query, ...rest } = (await fresh?.()) ?? {};
      const call = {
        ...withNew(t, request),
        ...rest,
        path: { ...request.path, ...path },
        query: { ...request.query, ...query },
      };
      const answer = await t.call(id, call);
      adopt?.(answer.json);
      const isAccepted = isWelcome(answer, id);
      t.require(ACCEPTED, isAccepted, `a good request to ${id} was answered ${answer.status}`, answer);
    },
    runs,
  );
}

async function refusesInvalid(t: Tester, id: OperationId, stage: Stage): Promise<void> {
  const own = id === 'sendEmail' ? batchOfOne(stage) : stage.own;
  const mutations = mutationsOf(id, own);
  const mayPass = (mutation: Mutation): boolean => mutation.verdict.kind === 'survived';
  const base = validRequests(id, own);
  await tryAll(
    t,
    mutations.filter((mutation) => !mayPass(mutation)),
    base,
    stage,
    INVALID_RUNS,
  );
  const left = await stage.residue?.();
  if (left !== undefined) t.fail(residueRequirement(id), `every request was refused, and yet ${left}`);
  await tryAll(t, mutations.filter(mayPass), base, stage, INVALID_RUNS);
}

function residueRequirement(id: OperationId): string {
  return id === 'sendEmail' ? 'sending.rejected-leaves-no-trace' : 'http.refused-changes-nothing';
}

async function survivesBytes(t: Tester, id: OperationId, stage: Stage): Promise<void> {
  await tryAll(t, byteMutations(id), validRequests(id, stage.own), stage, BYTES_RUNS);
}

/** Tries every way of breaking a request; one that a server does not mind is no reason not to try the others. */
async function tryAll(
  t: Tester,
  mutations: readonly Mutation[],
  base: Arbitrary<RequestParts>,
  { adopt }: Stage,
  runs: number,
): Promise<void> {
  const found: Violation[] = [];
  for (const mutation of mutations) {
    if (found.length >= MOST_VIOLATIONS) break;
    try {
      await t.property(
        mutation.requests(base).map(readable),
        (request) => tryOne(t, mutation, request, adopt),
        runs,
      );
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      found.push(error);
    }
  }
  // The same sentence about different faults says it once.
  const [first, ...others] = new Map(found.map((violation) => [violation.message, violation])).values();
  if (first === undefined) return;
  t.passive.push(...others);
  throw first;
}

async function tryOne(
  t: Tester,
  mutation: Mutation,
  request: BrokenRequest,
  adopt: Stage['adopt'],
): Promise<void> {
  const answer = await t.call(mutation.operation, withNew(t, request));
  if (answer.status < 300) adopt?.(answer.json);
  const objection = objectionTo(answer, request);
  if (objection !== undefined) t.fail(requirementOf(mutation), objection, answer);
}

/** What goes over the wire: every text that has to be new is. */
function withNew(t: Tester, { path, query, body, rawBody }: RequestParts & { rawBody?: Buffer }): LooseCall {
  if (rawBody !== undefined)
    return { path, query, rawBody: Buffer.from(renewed(t, rawBody.toString('latin1')), 'latin1') };
  return body === undefined
    ? { path, query }
    : { path, query, body: JSON.parse(renewed(t, JSON.stringify(body))) };
}

/** The request as a report shows it: what is wrong with it, and the rest cut short. */
function readable(request: BrokenRequest): BrokenRequest {
  const { fault, verdict: _verdict, rawBody, ...parts } = request;
  const text = rawBody === undefined ? JSON.stringify(parts) : rawBody.toString('latin1');
  const cut = text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
  return Object.assign(request, { [fc.toStringMethod]: () => `${describeFault(fault)}: ${cut}` });
}
