import type { components } from '../../../generated/types.ts';
import type { AccountCall, Answer } from '../call.ts';
import { HOUR } from '../clock.ts';
import { accept, announceRejected } from '../events.ts';
import { customIdOf, type Submission, submission } from '../message-form.ts';
import { domainOf, isSameAddress } from '../names.ts';
import { denied, type ErrorDetail, type FieldProblem, Refusal, refuse } from '../refusal.ts';
import type { Domain, World } from '../state.ts';

type RejectionCode = components['schemas']['MessageRejectionCode'];
type Item = { message_id: string; custom_id: string; status: string; code?: string; errors: unknown };

const MOST_MESSAGES = 500;
const WINDOW_HOURS = 72n;

export function sendEmail(call: AccountCall): Answer {
  const { world, account } = call;
  const submitted = messagesIn(call);
  if (account.status === 'disabled' && !world.has('accounts.disabled-still-sends')) {
    if (world.has('accounts.disabled-is-401'))
      throw refuse(401, 'INVALID_CREDENTIALS', 'the account is disabled');
    throw denied('the account is disabled');
  }
  const inRequest = new Set<string>();
  const sinks =
    world.has('sending.one-bad-sinks-all') &&
    submitted.some((one) => 'problems' in submission(world)(one, ''));
  const items = submitted.map((one) => (sinks ? rejectedForm(one, []) : itemFor(call, one, inRequest)));
  const isPartial = items.some(({ status }) => status !== 'accepted');
  return { status: statusOf(world, isPartial, items), body: { data: ordered(world, items), meta: {} } };
}

function statusOf(world: World, isPartial: boolean, items: readonly Item[]): number {
  if (world.has('sending.all-rejected-is-422') && items.every(({ status }) => status !== 'accepted'))
    return 422;
  if (isPartial) return world.has('sending.rejection-is-200') ? 200 : 207;
  if (world.has('sending.accepted-is-207')) return 207;
  return world.varies('accepted-201') ? 201 : world.varies('accepted-202') ? 202 : 200;
}

function ordered(world: World, items: Item[]): Item[] {
  return world.has('sending.results-swapped') ? items.toReversed() : items;
}

function messagesIn({ world, body }: AccountCall): unknown[] {
  const given = world.has('sending.single-object-accepted') && !Array.isArray(body) ? [body] : body;
  if (!Array.isArray(given)) throw refuse(422, 'BODY_NOT_ARRAY', 'the body must be an array of messages');
  if (given.length === 0 && !world.has('sending.empty-array-accepted')) {
    throw refuse(422, 'BODY_EMPTY_ARRAY', 'the body must have at least one message');
  }
  if (given.length > MOST_MESSAGES && !world.has('sending.too-many-accepted')) {
    const description = `a request may have at most ${MOST_MESSAGES} messages`;
    throw new Refusal(422, 'VALIDATION_ERROR', [{ code: 'MAX', description }]);
  }
  return given;
}

function itemFor(call: AccountCall, given: unknown, inRequest: Set<string>): Item {
  const { world } = call;
  const custom_id = world.has('sending.custom-id-not-returned') ? '' : customIdOf(given);
  const reading = submission(world)(given, '');
  if ('problems' in reading) {
    if (world.has('sending.malformed-skipped'))
      return { message_id: crypto.randomUUID(), custom_id, status: 'accepted', errors: [] };
    return rejectedForm(given, reading.problems);
  }
  const message = reading.value;
  const domain = domainFor(call, message);
  const fault = typeof domain === 'string' ? domain : faultOf(call, message, inRequest);
  if (typeof domain === 'string' || fault !== undefined) {
    world.rejectedCustomIds.add(`${call.account.account_id} ${message.custom_id}`);
    const isAnnounced =
      world.has('webhooks.sent-for-rejected') ||
      (world.has('webhooks.sent-for-suppressed') && fault === 'EMAIL_SUPPRESSED');
    if (isAnnounced && typeof domain !== 'string') announceRejected(call, domain, message);
    if (world.has('sending.rejected-logged') && typeof domain !== 'string') accept(call, domain, message);
    return rejected(world, custom_id, fault ?? 'SENDING_DOMAIN_NOT_FOUND', message);
  }
  if (message.custom_id !== undefined) inRequest.add(message.custom_id);
  const { message_id } = accept(call, domain, message);
  const shownId = world.has('sending.message-id-of-another') ? crypto.randomUUID() : message_id;
  return { message_id: shownId, custom_id, status: 'accepted', errors: [] };
}

function rejectedForm(given: unknown, problems: FieldProblem[]): Item {
  const codes = new Set(problems.flatMap(({ errors }) => errors.map(({ code }) => code)));
  const isOnlySeveral = codes.size === 1 && codes.has('MULTIPLE_RECIPIENTS_NOT_SUPPORTED');
  const errors: (FieldProblem | ErrorDetail)[] =
    problems.length > 0
      ? problems
      : [{ code: 'VALIDATION_ERROR', description: 'the batch holds a malformed message' }];
  return {
    message_id: '',
    custom_id: customIdOf(given),
    status: 'rejected',
    code: isOnlySeveral ? 'MULTIPLE_RECIPIENTS_NOT_SUPPORTED' : 'VALIDATION_ERROR',
    errors,
  };
}

const REASONS: Record<RejectionCode, string> = {
  VALIDATION_ERROR: 'the message is malformed',
  MULTIPLE_RECIPIENTS_NOT_SUPPORTED: 'only one recipient is supported',
  SENDING_DOMAIN_NOT_FOUND: 'the sender is in none of your domains',
  SENDING_DOMAIN_NOT_ASSIGNED: 'the domain is not assigned to this account',
  SENDING_DOMAIN_NOT_VERIFIED: 'the records of the domain are not verified',
  EMAIL_SUPPRESSED: 'the account suppresses the recipient',
  CUSTOM_ID_NOT_UNIQUE: 'the custom ID was used within the last 72 hours',
};

function rejected(world: World, custom_id: string, code: RejectionCode, message: Submission): Item {
  const shown = world.has('sending.rejection-code-vague') ? 'VALIDATION_ERROR' : code;
  const status =
    world.has('sending.suppressed-called-accepted') && code === 'EMAIL_SUPPRESSED' ? 'accepted' : 'rejected';
  const description = `${REASONS[code]} (${message.from.email})`;
  return { message_id: '', custom_id, status, code: shown, errors: [{ code: shown, description }] };
}

function domainFor({ world, account }: AccountCall, { from }: Submission): Domain | RejectionCode {
  const name = domainOf(from.email);
  const named = [
    ...world.domains.values(),
    ...(world.has('domains.deleted-still-sends') ? world.formerDomains.values() : []),
  ].filter(
    (domain) =>
      domain.name === name || (world.has('sending.subdomain-accepted') && name.endsWith(`.${domain.name}`)),
  );
  const own = named.find(({ organisation_id }) => organisation_id === account.organisation_id);
  const domain = own ?? (world.has('sending.foreign-domain-accepted') ? named[0] : undefined);
  if (domain === undefined) return 'SENDING_DOMAIN_NOT_FOUND';
  const isAssigned =
    domain.account_ids.includes(account.account_id) || domain.organisation_id !== account.organisation_id;
  if (
    !isAssigned &&
    !world.has('sending.unassigned-domain-accepted') &&
    !world.has('domains.deleted-still-sends')
  ) {
    return 'SENDING_DOMAIN_NOT_ASSIGNED';
  }
  return isVerified(world, domain) ? domain : 'SENDING_DOMAIN_NOT_VERIFIED';
}

function isVerified(world: World, { dkim_verified_at, return_path_verified_at }: Domain): boolean {
  if (world.has('sending.unverified-domain-accepted')) return true;
  const hasDkim = dkim_verified_at !== null || world.has('sending.dkim-not-needed');
  return hasDkim && (return_path_verified_at !== null || world.has('sending.return-path-not-needed'));
}

function faultOf(call: AccountCall, message: Submission, inRequest: Set<string>): RejectionCode | undefined {
  if (isSuppressed(call, message.to[0]?.email ?? '')) return 'EMAIL_SUPPRESSED';
  return isTaken(call, message, inRequest) ? 'CUSTOM_ID_NOT_UNIQUE' : undefined;
}

function isSuppressed({ world, account }: AccountCall, recipient: string): boolean {
  if (world.has('suppressions.ignored')) return false;
  return [...world.suppressions.values()].some(
    ({ account_id, recipient_email, type }) =>
      (account_id === account.account_id || world.has('suppressions.shared-by-accounts')) &&
      !(type === 'manual' && world.has('suppressions.manual-ignored')) &&
      (world.has('suppressions.matched-by-case')
        ? recipient_email === recipient
        : isSameAddress(recipient_email, recipient)),
  );
}

function isTaken(call: AccountCall, message: Submission, inRequest: Set<string>): boolean {
  const { world } = call;
  const { custom_id = '' } = message;
  const isAsked = message.custom_id_unique === true || world.has('custom-id.always-unique');
  if (custom_id === '' || !isAsked || world.has('custom-id.never-unique')) return false;
  if (inRequest.has(custom_id) && !world.has('custom-id.unchecked-within-request')) return true;
  return !world.has('custom-id.checked-within-request-only') && isInLog(call, custom_id, inRequest);
}

function isInLog({ world, account }: AccountCall, custom_id: string, inRequest: Set<string>): boolean {
  const hours = world.has('custom-id.unique-for-a-day') ? 24n : WINDOW_HOURS;
  const since = world.has('custom-id.unique-for-ever') ? 0n : world.clock.now() - hours * HOUR;
  const isRejected = world.rejectedCustomIds.has(`${account.account_id} ${custom_id}`);
  if (isRejected && world.has('custom-id.rejected-count')) return true;
  const isUncheckedHere = world.has('custom-id.unchecked-within-request') && inRequest.has(custom_id);
  return [...world.messages.values()].some(
    (message) =>
      message.custom_id === custom_id &&
      message.created_at >= since &&
      !isUncheckedHere &&
      (message.account_id === account.account_id || world.has('custom-id.unique-across-accounts')) &&
      (message.asked_unique || !world.has('custom-id.compared-with-unique-only')),
  );
}
