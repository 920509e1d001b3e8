import { setTimeout as delay } from 'node:timers/promises';
import fc, { type Arbitrary } from 'fast-check';
import type {
  OperationId,
  PathParameters,
  QueryParameters,
  RequestBody,
  ResponseBody,
  SuccessStatus,
} from '../../generated/operations.ts';
import type { Exchange } from '../http/exchange.ts';
import { TransportFault } from '../http/exchange.ts';
import type { TargetAccount } from '../target/target.ts';
import { type Answer, bodyOf, parsed } from './answer.ts';
import type { Organisation } from './organisation.ts';
import type { RunContext } from './run-context.ts';
import { type Note, SetupFailed, Violation, Violations } from './violation.ts';
import type { Call, Caller } from './wire.ts';

/** What somebody logs in with. */
type Credentials = Pick<Organisation, 'email' | 'password'>;
/** A call with what the tester can fill in left out. */
export type LooseCall = Partial<Omit<Call, 'operation'>>;

/** What can be shown of a violation: an answer, or a notification that came. */
type Shown = { readonly exchange: Exchange };

type Slot<Name extends string, T> = [T] extends [never] ? unknown : { [N in Name]?: T };

/** A call as the contract types it. */
export type TypedCall<Id extends OperationId> = Slot<'path', PathParameters<Id>> &
  Slot<'query', QueryParameters<Id>> &
  Slot<'body', RequestBody<Id>> & { readonly as?: Caller };

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
const SHRINKING_LIMIT_MS = 20_000;
const EXCHANGES_SHOWN = 3;
const VIOLATIONS_KEPT = 20;

/** What a check works with: it sends calls, looks at the answers, and cites the requirement that an expectation rests on. */
export class Tester {
  readonly #run: RunContext;
  readonly #checkId: string;
  readonly #recent: Exchange[] = [];
  readonly #names: { count: number } = { count: 0 };
  /** What the contract's judge found in answers, beside what the check itself expects. */
  readonly passive: Violation[] = [];
  readonly notes: Note[] = [];
  requests = 0;

  constructor(run: RunContext, checkId: string) {
    this.#run = run;
    this.#checkId = checkId;
  }

  /** The organisation that checks work in. */
  get tenant(): Organisation {
    return this.#run.organisations[0];
  }

  /** The other organisation; the check needs second_tenant. */
  get otherTenant(): Organisation {
    return declared(this.#run.organisations[1], 'second_tenant');
  }

  /** Another account of the same organisation; the check needs second_account. */
  get secondAccount(): TargetAccount {
    return declared(this.tenant.secondAccount, 'second_account');
  }

  /** What the target says of itself. */
  get target() {
    return this.#run.target;
  }

  /** The receiver of webhooks; the check needs webhooks. */
  get receiver() {
    return this.#run.receiver();
  }

  /** A number for this check in this run: the same for the same --seed. */
  get seed(): number {
    return this.#run.seedOf(this.#checkId);
  }

  /** A text that stands nowhere else on the server: unique to this run, check and call. */
  unique(prefix = 'c'): string {
    this.#names.count += 1;
    return `${prefix}-${this.#run.nonceOf(this.#checkId)}-${this.#names.count}`;
  }

  /** An address that nobody else writes to. */
  address(prefix = 'recipient'): string {
    return `${this.unique(prefix)}@conformance.test`;
  }

  /** Sends a call as the contract's security asks for, or as `as` says; any answer is an answer. */
  async call<Id extends OperationId>(operation: Id, call: LooseCall = {}): Promise<Answer<Id>> {
    const as = call.as ?? (await this.#run.callerFor(operation));
    return this.#send(operation, { ...call, operation, as });
  }

  /** Sends a request whose answer is held against nothing: what stands before a server may have answered it. */
  async exchange(method: string, rawPath: string, call: LooseCall = {}): Promise<Exchange> {
    this.requests += 1;
    const as = call.as ?? { kind: 'nobody' };
    return await this.#run.wire.send({ ...call, operation: undefined, method, rawPath, as });
  }

  /** Sends a request to an address that may not be in the contract. */
  async request(method: string, rawPath: string, call: LooseCall = {}): Promise<Answer> {
    return this.#send(undefined, {
      ...call,
      operation: undefined,
      method,
      rawPath,
      as: call.as ?? { kind: 'nobody' },
    });
  }

  /**
   * Sends a call that the check builds on, and returns its body. When it is not answered with `status`, `requirement` is broken;
   * without one, the check cannot go on, and another check judges that.
   * @throws Violation or SetupFailed.
   */
  async ok<Id extends OperationId, S extends SuccessStatus<Id>>(
    operation: Id,
    status: S,
    call: TypedCall<Id> & LooseCall,
    requirement?: string | readonly string[],
  ): Promise<ResponseBody<Id, S>> {
    const answer = await this.call(operation, call);
    const body = bodyOf(answer, status);
    if (body !== undefined) return body;
    const message = `${operation} was answered ${answer.status} instead of ${status}`;
    if (requirement !== undefined && answer.status !== status) this.fail(requirement, message, answer);
    throw new SetupFailed(
      answer.status === status ? `the ${status} of ${operation} is not as the contract has it` : message,
    );
  }

  /** Logs in anew, for a check that ends its session. */
  async login({ email, password }: Credentials = this.tenant): Promise<Caller & { kind: 'bearer' }> {
    const body = { email, password, grant_type: 'password' as const };
    const token = await this.ok('login', 200, { body });
    this.#run.redaction.hide(token.access_token);
    this.#run.redaction.hide(token.refresh_token);
    return { kind: 'bearer', token: token.access_token };
  }

  /** This value is never to be shown in a report. */
  hide(secret: string): void {
    this.#run.redaction.hide(secret);
  }

  /** The requirement, or every one of several, holds if `condition` does. @throws Violation, with what shows it: answers, notifications. */
  require(
    requirement: string | readonly string[],
    condition: boolean,
    message: string,
    ...shown: readonly Shown[]
  ): void {
    if (!condition) this.fail(requirement, message, ...shown);
  }

  /** The requirement, or every one of several, is broken. */
  fail(requirement: string | readonly string[], message: string, ...shown: readonly Shown[]): never {
    const exchanges =
      shown.length > 0 ? shown.map(({ exchange }) => exchange) : this.#recent.slice(-EXCHANGES_SHOWN);
    throw violationOf(requirement, (id) => new Violation(id, message, exchanges));
  }

  /** What was seen of something that the service description leaves open. */
  inform(requirement: string, text: string): void {
    if (!this.notes.some((note) => note.requirement === requirement && note.text === text))
      this.notes.push({ requirement, text });
  }

  /** Looks again and again until there is something, or the target's settle time (and `atLeastMs`) is over: then undefined. */
  async poll<T>(look: () => Promise<T | undefined>, atLeastMs = 0): Promise<T | undefined> {
    // Only the pauses count: what the machine of the suite lost meanwhile is not the server's time.
    let left = this.longest(atLeastMs);
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.6, LONGEST_PAUSE_MS)) {
      const found = await look();
      if (found !== undefined || left <= 0) return found;
      await delay(pause);
      left -= pause;
    }
  }

  /** How long `poll` waits. */
  longest(atLeastMs = 0): number {
    return Math.max(this.#run.settleTimeoutMs, atLeastMs);
  }

  /** As poll; when nothing comes, the requirement is broken. */
  async eventually<T>(requirement: string, message: string, look: () => Promise<T | undefined>): Promise<T> {
    const found = await this.poll(look);
    if (found !== undefined) return found;
    return this.fail(requirement, `${message}, not within ${this.#run.settleTimeoutMs / 1000} seconds`);
  }

  /**
   * Tries generated values until one breaks a requirement, and shrinks it. The values depend on the run's seed and the check alone.
   * @throws Violation with the shrunk case.
   */
  async property<T>(values: Arbitrary<T>, holds: (value: T) => Promise<void>, runs = 20): Promise<void> {
    const seed = this.seed;
    const before = this.passive.length;
    let failedAt: number | undefined;
    const property = fc.asyncProperty(values, async (value) => {
      // Shrinking ends when nothing smaller fails; from then on nothing does. What comes before it is never cut short.
      if (failedAt !== undefined && performance.now() - failedAt > SHRINKING_LIMIT_MS) return;
      try {
        await holds(value);
      } catch (error) {
        failedAt ??= performance.now();
        throw error;
      }
      const [first] = this.passive.splice(before);
      if (first === undefined) return;
      failedAt ??= performance.now();
      throw first;
    });
    const details = await fc.check(property, {
      seed,
      numRuns: Math.max(1, Math.round(runs * this.#run.effort)),
    });
    this.passive.splice(before);
    if (!details.failed || details.counterexample === null) return;
    const cause = details.errorInstance;
    if (!(cause instanceof Violation)) throw cause ?? new Error('a generated case failed without a reason');
    const [counterexample] = details.counterexample;
    const shrunk = { case: fc.stringify(counterexample), seed, path: details.counterexamplePath ?? '' };
    const broken =
      cause instanceof Violations ? cause.each.map((each) => each.requirement) : cause.requirement;
    throw violationOf(broken, (id) => new Violation(id, cause.message, cause.exchanges, shrunk));
  }

  /** Moves the server's clock; the check needs clock and is exclusive. Sessions may expire on the way. */
  async advanceClock(seconds: number): Promise<void> {
    await this.#run.hooks.advanceClock(seconds);
    for (const organisation of this.#run.organisations) organisation.renew();
  }

  /** The mails that left the server for this recipient, newest first; the check needs sent_mail. */
  async sentMails(to: string) {
    return await this.#run.hooks.sentMails(to);
  }

  /** Opens an address that stands in a mail, without following redirects; it belongs to no operation of the contract. */
  async visit(address: string) {
    try {
      return await this.#run.visit(address);
    } catch (error) {
      if (error instanceof TransportFault)
        throw new SetupFailed(`${address} cannot be opened: ${error.message}`);
      throw error;
    }
  }

  async #send<Id extends OperationId>(operation: Id | undefined, call: Call): Promise<Answer<Id>> {
    this.requests += 1;
    const exchange = await this.#run.wire.send(call);
    this.#recent.push(exchange);
    if (this.#recent.length > EXCHANGES_SHOWN) this.#recent.shift();
    const { response } = exchange;
    if (response === undefined)
      throw new Violation('http.complete-answer', String(exchange.fault), [exchange]);
    const isSound = this.#judge(exchange);
    const { status, headers, text } = response;
    return { operation, status, headers, text, json: parsed(text), isSound, exchange };
  }

  #judge(exchange: Exchange): boolean {
    const { violations, notes } = this.#run.judge(exchange);
    for (const note of notes) this.inform(note.requirement, note.text);
    for (const violation of violations) {
      const isKnown = this.passive.some(({ message }) => message === violation.message);
      if (!isKnown && this.passive.length < VIOLATIONS_KEPT) this.passive.push(violation);
    }
    return violations.length === 0;
  }
}

function violationOf(requirement: string | readonly string[], make: (id: string) => Violation): Violation {
  const [first, ...others] = [requirement].flat().map(make);
  if (first === undefined) throw new TypeError('A check cites no requirement.');
  return others.length === 0 ? first : new Violations(first, ...others);
}

function declared<T>(part: T | undefined, need: string): T {
  if (part === undefined) throw new TypeError(`A check uses ${need} without declaring that it needs it.`);
  return part;
}
