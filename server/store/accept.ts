import { randomUUIDv7 } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { ApiError } from '../domain/errors.ts';
import { mailboxKey } from '../domain/mailbox.ts';
import { acceptedState } from '../domain/message-state.ts';
import { plusMilliseconds, type Timestamp } from '../domain/time.ts';
import type { RecordedMessage } from './events.ts';
import { single } from './page.ts';
import type { AcceptableMessage, AcceptResult, RejectionCode } from './rows.ts';
import { own, type Scope, type TransactionScope } from './scope.ts';

/** A candidate that nothing speaks against so far. */
interface Accepted {
  id: string;
  domainId: string;
  acceptedAt: Timestamp;
  message: AcceptableMessage;
}

const UNIQUE_WINDOW_MS = 72 * 3_600_000;
const CUSTOM_ID_LOCKS = 64;

const DESCRIPTIONS: Record<RejectionCode, string> = {
  SENDING_DOMAIN_NOT_FOUND: 'the domain of the sender address is not one of the sending domains',
  SENDING_DOMAIN_NOT_ASSIGNED: 'the domain of the sender address is not assigned to this account',
  SENDING_DOMAIN_NOT_VERIFIED: 'the DNS records of the domain of the sender address are not verified',
  EMAIL_SUPPRESSED: 'the recipient is on the suppression list of this account',
  CUSTOM_ID_NOT_UNIQUE: 'a message with this custom_id was accepted within the last 72 hours',
};

/**
 * Accepts what may be accepted: message, content, `new` event, counters and delivery job of each, all in one transaction.
 * The results are in the order of the candidates. Throws ACCESS_DENIED when the account is disabled,
 * INVALID_CREDENTIALS when it has been deleted meanwhile, and its keys with it.
 */
export async function acceptMessages(
  scope: Scope,
  accountId: string,
  candidates: readonly AcceptableMessage[],
): Promise<AcceptResult[]> {
  return scope.transaction(async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (account.status === 'disabled') throw new ApiError('ACCESS_DENIED', 'the account is disabled');
    const domains = await domainsOf(tx, accountId, candidates);
    const suppressed = await suppressedOf(tx, accountId, candidates);
    const usedIds = await usedCustomIds(tx, accountId, candidates);
    const accepted: Accepted[] = [];
    const results = candidates.map((message): AcceptResult => {
      const domain = domains.get(domainOf(message.from.email));
      if (domain === undefined) return reject('SENDING_DOMAIN_NOT_FOUND');
      if (!domain.is_assigned) return reject('SENDING_DOMAIN_NOT_ASSIGNED');
      if (!domain.is_verified) return reject('SENDING_DOMAIN_NOT_VERIFIED');
      if (suppressed.has(mailboxKey(message.to.email))) return reject('EMAIL_SUPPRESSED');
      if (mustBeUnique(message) && usedIds.has(message.customId)) return reject('CUSTOM_ID_NOT_UNIQUE');
      if (message.customId !== '') usedIds.add(message.customId);
      const id = randomUUIDv7();
      accepted.push({ id, domainId: domain.domain_id, acceptedAt: tx.clock.now(), message });
      return { messageId: id };
    });
    if (accepted.length > 0) await write(tx, accountId, accepted);
    return results;
  });
}

function reject(code: RejectionCode): AcceptResult {
  return { rejected: code, description: DESCRIPTIONS[code] };
}

// Many may accept for one account at once; deleting it waits for them, and they for its deletion.
async function lockAccount(tx: TransactionScope, accountId: string): Promise<{ status: string }> {
  const rows = await tx.rows<{ status: string }>`
    select status from accounts
    where organisation_id = ${own} and account_id = ${accountId} and deleted_at is null for key share`;
  return single(rows, () => new ApiError('INVALID_CREDENTIALS', 'the account does not exist any more'));
}

interface SendingDomain {
  domain_id: string;
  name: string;
  is_verified: boolean;
  is_assigned: boolean;
}

async function domainsOf(
  tx: TransactionScope,
  accountId: string,
  candidates: readonly AcceptableMessage[],
): Promise<Map<string, SendingDomain>> {
  const names = new Set(candidates.map((message) => domainOf(message.from.email)));
  const rows = await tx.rows<SendingDomain>`
    select d.domain_id, d.name, da.account_id is not null as is_assigned,
      d.dkim_verified_at is not null and d.return_path_verified_at is not null as is_verified
    from (select * from domains where organisation_id = ${own} and deleted_at is null) d
    left join domain_accounts da on da.domain_id = d.domain_id and da.account_id = ${accountId}
    where lower(d.name) = any(${[...names]}::text[])`;
  return new Map(rows.map((row) => [row.name, row]));
}

async function suppressedOf(
  tx: TransactionScope,
  accountId: string,
  candidates: readonly AcceptableMessage[],
): Promise<Set<string>> {
  const addresses = new Set(candidates.map((message) => mailboxKey(message.to.email)));
  const rows = await tx.rows<{ address: string }>`
    select lower(recipient_email) as address from suppressions
    where organisation_id = ${own} and account_id = ${accountId}
      and lower(recipient_email) = any(${[...addresses]}::text[])`;
  return new Set(rows.map((row) => row.address));
}

function mustBeUnique(message: AcceptableMessage): boolean {
  return message.customIdUnique && message.customId !== '';
}

// Two requests with the same unique custom_id must not look at the same moment and both find nothing. A message that asks
// for no uniqueness needs no lock: had it come a moment later, both would have been accepted all the same.
async function usedCustomIds(
  tx: TransactionScope,
  accountId: string,
  candidates: readonly AcceptableMessage[],
): Promise<Set<string>> {
  const unique = new Set(candidates.filter(mustBeUnique).map((message) => message.customId));
  if (unique.size === 0) return new Set();
  await lockCustomIds(tx, accountId, [...unique]);
  const since = plusMilliseconds(tx.clock.now(), -UNIQUE_WINDOW_MS);
  const rows = await tx.rows<{ custom_id: string }>`
    select distinct custom_id from messages
    where organisation_id = ${own} and account_id = ${accountId} and custom_id <> ''
      and custom_id = any(${[...unique]}::text[]) and created_at > ${since}`;
  return new Set(rows.map((row) => row.custom_id));
}

// A fixed number of locks for each account, taken in order: however large the batch, the lock table stays small and
// nobody waits in a circle.
async function lockCustomIds(
  tx: TransactionScope,
  accountId: string,
  customIds: readonly string[],
): Promise<void> {
  await tx.rows`
    select pg_advisory_xact_lock(hashtext(${own}::text || ${accountId}::text), bucket) from (
      select distinct abs(hashtext(id) % ${CUSTOM_ID_LOCKS}) as bucket
      from unnest(${customIds}::text[]) as used (id)
      order by bucket
    ) buckets`;
}

async function write(tx: TransactionScope, accountId: string, accepted: readonly Accepted[]): Promise<void> {
  await insertMessages(tx, accountId, accepted);
  await insertContents(tx, accepted);
  await tx.enqueueDeliveries(accepted.map(({ id }) => id));
  await tx.recordEvents(
    accepted.map(({ id, acceptedAt }) => ({
      type: 'new',
      eventId: randomUUIDv7(),
      messageId: id,
      receivedAt: acceptedAt,
    })),
    accepted.map((one) => recordedMessage(tx, accountId, one)),
  );
}

async function insertMessages(
  tx: TransactionScope,
  accountId: string,
  accepted: readonly Accepted[],
): Promise<void> {
  const column = <Value>(read: (message: AcceptableMessage) => Value) =>
    accepted.map(({ message }) => read(message));
  const { delivery_status: status, event_mask: mask } = acceptedState('');
  await tx.rows`
    insert into messages (
      organisation_id, account_id, delivery_status, event_mask, message_id, domain_id, created_at, updated_at,
      custom_id, custom_id_unique, recipient_email, from_email, subject, list_id, list_unsubscribe, track_opens,
      track_clicks
    )
    select ${own}::uuid, ${accountId}::uuid, ${status}, ${mask}::smallint, id, domain_id, accepted_at, accepted_at,
      custom_id, custom_id_unique, recipient_email, from_email, subject, list_id, list_unsubscribe, track_opens,
      track_clicks
    from unnest(
      ${accepted.map(({ id }) => id)}::uuid[],
      ${accepted.map(({ domainId }) => domainId)}::uuid[],
      ${accepted.map(({ acceptedAt }) => acceptedAt)}::timestamptz[],
      ${column((message) => message.customId)}::text[],
      ${column((message) => message.customIdUnique)}::boolean[],
      ${column((message) => message.to.email)}::text[],
      ${column((message) => message.from.email)}::text[],
      ${column((message) => message.subject)}::text[],
      ${column((message) => message.listId)}::text[],
      ${column((message) => message.listUnsubscribe)}::text[],
      ${column((message) => message.trackOpens)}::boolean[],
      ${column((message) => message.trackClicks)}::boolean[]
    ) as s (id, domain_id, accepted_at, custom_id, custom_id_unique, recipient_email, from_email, subject, list_id,
      list_unsubscribe, track_opens, track_clicks)`;
}

async function insertContents(tx: TransactionScope, accepted: readonly Accepted[]): Promise<void> {
  const column = <Value>(read: (message: AcceptableMessage) => Value) =>
    accepted.map(({ message }) => read(message));
  await tx.rows`
    insert into message_contents (
      organisation_id, message_id, from_name, recipient_name, reply_to, html, text
    )
    select ${own}::uuid, * from unnest(
      ${accepted.map(({ id }) => id)}::uuid[],
      ${column((message) => message.from.name)}::text[],
      ${column((message) => message.to.name)}::text[],
      ${column((message) => JSON.stringify(message.replyTo))}::jsonb[],
      ${column((message) => message.html)}::text[],
      ${column((message) => message.text)}::text[]
    )`;
}

function recordedMessage(tx: TransactionScope, accountId: string, accepted: Accepted): RecordedMessage {
  const { id, domainId, acceptedAt, message } = accepted;
  return {
    ...acceptedState(acceptedAt),
    message_id: id,
    organisation_id: tx.organisationId,
    account_id: accountId,
    domain_id: domainId,
    from_email: message.from.email,
    recipient_email: message.to.email,
    custom_id: message.customId,
    track_opens: message.trackOpens,
    track_clicks: message.trackClicks,
    created_at: acceptedAt,
  };
}

function domainOf(address: string): string {
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1));
}
