import { createHash, randomBytes } from 'node:crypto';
import type { OperationId } from '../../generated/operations.ts';
import { operations } from '../../generated/operations.ts';
import { judge } from '../contract/judge.ts';
import { type Connection, openConnection } from '../http/connection.ts';
import type { Exchange, ReceivedResponse } from '../http/exchange.ts';
import { createPace } from '../http/pace.ts';
import { createRedaction, type Redaction } from '../http/redact.ts';
import { visit } from '../http/visit.ts';
import { type LoadedTarget, settleTimeoutOf, type Target } from '../target/target.ts';
import { parsed, valueAt } from './answer.ts';
import { Coverage } from './coverage.ts';
import { createHooks, type Hooks } from './hooks.ts';
import { type Login, type Organisation, organisationsOf } from './organisation.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { type Registration, registrationByExtension, registrationByHook } from './registration.ts';
import { type Note, SetupFailed, Violation } from './violation.ts';
import { type Caller, createWire, type Wire } from './wire.ts';

export interface RunOptions {
  seed: number;
  /** How much is tried: multiplies the number of generated cases. */
  effort: number;
  /** The run waits for the server's rate limit. */
  onWait?: (seconds: number) => void;
  timeoutMs?: number;
}

/** What all checks of a run share. */
export interface RunContext {
  readonly target: Target;
  readonly seed: number;
  readonly effort: number;
  readonly settleTimeoutMs: number;
  readonly wire: Wire;
  readonly coverage: Coverage;
  readonly redaction: Redaction;
  readonly organisations: readonly [Organisation, ...Organisation[]];
  readonly hooks: Hooks;
  /** Opens the receiver of webhooks when it is first asked for. */
  receiver(): Promise<Receiver>;
  /** Who calls an operation when the check does not say. */
  callerFor(operation: OperationId): Promise<Caller>;
  /** Opens an address that stands in a mail. */
  visit(address: string): Promise<ReceivedResponse>;
  /** Holds a response against the contract. */
  judge(exchange: Exchange): { violations: Violation[]; notes: Note[] };
  seedOf(checkId: string): number;
  nonceOf(checkId: string): string;
  close(): Promise<void>;
}

/** The requirement that a part of a response belongs to. */
const REQUIREMENT_OF_PART = {
  status: 'http.documented-status',
  content_type: 'http.content-type',
  headers: 'http.response-headers',
  body: 'http.response-shape',
} as const;
const REMARKS = 'conventions.open-forms';

/** Opens what a run against this target needs; nothing is sent yet. */
export function openRun({ target, ca }: LoadedTarget, options: RunOptions): RunContext {
  const { seed, effort, timeoutMs } = options;
  const connection = openConnection({
    baseUrl: target.base_url,
    ca,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const redaction = hidden(target);
  const coverage = new Coverage();
  const wire = createWire({
    connection,
    prefix: new URL(target.base_url).pathname.replace(/\/+$/, ''),
    pace: createPace(options.onWait ?? (() => {})),
    observe: (exchange, call) => coverage.add(exchange, call),
  });
  const [first, ...others] = organisationsOf(target, (tenant) => login(wire, redaction, tenant));
  if (first === undefined) throw new TypeError('A target has at least one tenant.');
  const nonce = randomBytes(4).toString('hex');
  const organisations = [first, ...others] as const;
  const receivers = new ReceiverSlot(() =>
    openReceiver(
      target.webhooks?.listen_host ?? '127.0.0.1',
      registrationOf(target, { wire, redaction, organisations }),
    ),
  );
  return {
    target,
    seed,
    effort,
    settleTimeoutMs: settleTimeoutOf(target),
    wire,
    coverage,
    redaction,
    organisations,
    hooks: createHooks(target),
    receiver: () => receivers.open(),
    callerFor: (operation) => callerFor(operation, first),
    visit: (address) => visit(address, ca),
    judge: (exchange) => judged(exchange),
    seedOf: (checkId) => digest(`${seed} ${checkId}`).readInt32BE(0),
    nonceOf: (checkId) => `${nonce}${digest(checkId).toString('hex', 0, 2)}`,
    close: () => close(connection, receivers),
  };
}

/** A receiver is only opened when a check asks for it, and then once. */
class ReceiverSlot {
  readonly #open: () => Promise<Receiver>;
  #receiver: Promise<Receiver> | undefined;

  constructor(open: () => Promise<Receiver>) {
    this.#open = open;
  }

  open(): Promise<Receiver> {
    this.#receiver ??= this.#open();
    return this.#receiver;
  }

  async close(): Promise<void> {
    // One that could not be opened was reported by the checks that wanted it.
    await (await this.#receiver?.catch(() => undefined))?.close();
  }
}

/** The receiver takes back what it has registered, which needs the connection. */
async function close(connection: Connection, receivers: ReceiverSlot): Promise<void> {
  await receivers.close();
  connection.close();
}

/** By the operations of the contract, each account by its own organisation, or by the hook. */
function registrationOf(
  target: Target,
  { wire, redaction, organisations }: Pick<RunContext, 'wire' | 'redaction' | 'organisations'>,
): Registration {
  if (target.webhooks?.registration !== 'extension') return registrationByHook(target);
  const callerFor = (accountId: string): Promise<Caller> => {
    const owner = organisations.find(({ account, secondAccount }) =>
      [account.account_id, secondAccount?.account_id].includes(accountId),
    );
    return (owner ?? organisations[0]).session();
  };
  return registrationByExtension({ wire, callerFor, hide: (secret) => redaction.hide(secret) });
}

function hidden({ tenants, webhooks }: Target): Redaction {
  const redaction = createRedaction();
  for (const { password, accounts } of tenants) {
    redaction.hide(password);
    for (const { api_key: key } of accounts) redaction.hide(key);
  }
  if (typeof webhooks?.secret === 'string') redaction.hide(webhooks.secret);
  return redaction;
}

async function login(
  wire: Wire,
  redaction: Redaction,
  { email, password }: { email: string; password: string },
): Promise<Login> {
  const startedAt = performance.now();
  const body = { email, password, grant_type: 'password' };
  const { response, fault } = await wire.send({ operation: 'login', body, as: { kind: 'nobody' } });
  const json = parsed(response?.text ?? '');
  const token = valueAt(json, 'access_token');
  if (response?.status !== 200 || typeof token !== 'string' || token === '')
    throw new SetupFailed(`no login: ${fault ?? `${response?.status} without an access_token`}`);
  redaction.hide(token);
  const seconds = Number(valueAt(json, 'expires_in'));
  // Half of its life, so that no request that is under way meets its end.
  return { token, usableUntil: startedAt + (seconds > 0 ? seconds * 500 : Number.POSITIVE_INFINITY) };
}

async function callerFor(operation: OperationId, organisation: Organisation): Promise<Caller> {
  switch (operations[operation].security) {
    case 'none':
      return { kind: 'nobody' };
    case 'basic':
      return { kind: 'basic', ...organisation.account };
    case 'bearer':
      return organisation.session();
  }
}

function judged(exchange: Exchange): { violations: Violation[]; notes: Note[] } {
  const { operation, request, response } = exchange;
  if (response === undefined) return { violations: [], notes: [] };
  const { faults, remarks } = judge(operation ?? 'unknown_endpoint', response, request.method);
  const what = operation ?? 'an unknown endpoint';
  const violations = faults.map(
    ({ part, message }) =>
      new Violation(REQUIREMENT_OF_PART[part], `${what}, ${response.status}: ${message}`, [exchange]),
  );
  if (response.status >= 500)
    violations.unshift(
      new Violation('http.no-internal-failure', `${what} was answered ${response.status}`, [exchange]),
    );
  return { violations, notes: remarks.map((text) => ({ requirement: REMARKS, text })) };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
