import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { vi } from 'vitest';
import type { MessageEvent, MessageEventType } from '../domain/events.ts';
import type { ExportRow, MessageRow } from '../store/rows.ts';
import type { TestAccount, TestApi, TestTenant, TestUser } from '../testing.ts';

// For tests of everything that reads the log: a log that came in through the front door, and a second record of it to compare with.

/** What the test knows of a message, by what it did and not by what the service says. */
export interface LoggedMessage {
  /** As the API and the export should show it. */
  row: ExportRow;
  events: LoggedEvent[];
  trackOpens: boolean;
  trackClicks: boolean;
}

export interface LoggedEvent {
  type: MessageEventType;
  receivedAt: string;
  details: Record<string, string>;
  isUnique: boolean;
}

interface Named {
  id: string;
  name: string;
}

/** The log of one organisation, newest first, and who it belongs to. */
export interface MessageLog {
  messages: LoggedMessage[];
  accounts: Named[];
  /** The last of them is deleted. */
  domains: Named[];
  owner: TestUser;
  /** Another organisation, with one message. */
  foreign: { owner: TestUser; account: TestAccount; domainId: string; messageId: string };
}

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const ROUNDS = 45;
const RECIPIENTS = ['ada@customer.test', 'Bela@Customer.test', 'cleo@example.org', 'dan@bücher.example'];
/** What a spreadsheet, a parser or a search would stumble over. */
export const HOSTILE_TEXTS = [
  '=HYPERLINK("https://evil.test";"click")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '"quoted"',
  'a,b;c',
  "'=1",
  '100 % of _all_ \\ things',
  'Grüße 😀 \u202e',
  'a\u2028b\u0085c',
  ' padded ',
  'plain',
  'PLAIN Order',
];
const REPLIES = ['250 2.0.0 "Ok", queued', '=250 2.0.0', '550 5.1.1 no such user', '-451 later'];
const LATER_TYPES: readonly MessageEventType[] = [
  'delivery',
  'soft_bounce',
  'open',
  'open',
  'click',
  'spam_complaint',
  'unsubscribe',
  'hard_bounce',
];

/**
 * Sends some 130 messages over two accounts and three domains, the first of them 70 days before the last, with all kinds of
 * events in between, which are the log's own: delivery has to be stopped. Some messages have the very same moment. The clock ends up ahead of the system's.
 */
export async function buildLog(api: TestApi, seed = 7): Promise<MessageLog> {
  const setting = await prepare(api);
  const random = numbers(seed);
  const pick = <T>(values: readonly T[]): T => {
    const value = values[random(values.length)];
    if (value === undefined) throw new Error('There is nothing to pick from.');
    return value;
  };
  const messages: LoggedMessage[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round === 5) api.clock.advance(70 * DAY_MS);
    api.clock.advance(random(80) * MINUTE_MS);
    const batch = Array.from({ length: 1 + random(5) }, () => plan(setting, pick, random));
    // Two processes may accept at the very same moment.
    const frozen = round % 4 === 0 ? vi.spyOn(api.clock, 'now').mockReturnValue(api.clock.now()) : undefined;
    messages.push(...(await sendBatch(api, setting, batch)));
    frozen?.mockRestore();
    api.clock.advance(random(20) * MINUTE_MS);
    const happened = Array.from({ length: random(6) }, () =>
      happen(api, pick(messages), pick(LATER_TYPES), pick),
    );
    await api.store.delivery.recordEvents(happened);
    // So that the next batch goes through.
    await sql`delete from suppressions`.execute(api.database.db);
  }
  // Tokens have expired meanwhile.
  const owner = await api.signIn(setting.tenant.owner, setting.tenant.account);
  await owner.client.deleteDomain({ path: { domain_id: setting.domains.at(-1)?.id ?? '' } });
  for (const { row, events } of messages) {
    const { data } = await owner.client.getMessage({ path: { message_id: row.message_id } });
    row.created_at = data.created_at;
    settle(row, events);
  }
  return {
    messages: messages.sort((one, other) => (isNewer(one.row, other.row) ? -1 : 1)),
    accounts: setting.senders.map(({ account_id: id, name }) => ({ id, name })),
    domains: setting.domains,
    owner,
    foreign: { ...setting.foreign, owner: await api.signIn(setting.foreign.owner, setting.foreign.account) },
  };
}

interface Setting {
  tenant: TestTenant;
  senders: TestAccount[];
  domains: Named[];
  foreign: MessageLog['foreign'];
}

async function prepare(api: TestApi): Promise<Setting> {
  const tenant = await api.createTenant();
  const senders = [tenant.account, await api.createAccount(tenant, 'News, "weekly"')];
  const { domain_id: domainId, name } = tenant.domain;
  const accounts = senders.map(({ account_id }) => account_id);
  await tenant.client.updateDomain({ path: { domain_id: domainId }, body: { accounts } });
  const domains = [{ id: domainId, name }];
  for (const more of ['shop.test', 'gone.test']) {
    domains.push({ id: (await api.createDomain(tenant, more, senders)).domain_id, name: more });
  }
  const { owner, account, domain, client } = await api.createTenant('stranger.test');
  const { data } = await client.sendEmail({
    body: [
      {
        from: { email: 'a@stranger.test' },
        to: [{ email: 'ada@customer.test' }],
        subject: 'plain',
        body: { text: 'x' },
      },
    ],
  });
  const messageId = data[0]?.message_id ?? '';
  return { tenant, senders, domains, foreign: { owner, account, domainId: domain.domain_id, messageId } };
}

interface Plan {
  sender: TestAccount;
  domain: Named;
  body: {
    from: { email: string };
    to: [{ email: string }];
    subject: string;
    custom_id: string;
    track_opens: boolean;
    track_clicks: boolean;
    list_id: string;
    body: { text: string };
  };
}

function plan(
  setting: Setting,
  pick: <T>(values: readonly T[]) => T,
  random: (below: number) => number,
): Plan {
  const domain = pick(setting.domains);
  return {
    sender: pick(setting.senders),
    domain,
    body: {
      from: { email: `${pick(['hello', 'News'])}@${domain.name}` },
      to: [{ email: pick(RECIPIENTS) }],
      subject: pick(HOSTILE_TEXTS),
      custom_id: random(3) === 0 ? '' : pick([...HOSTILE_TEXTS, 'order-1', 'ORDER-1']),
      track_opens: random(2) === 0,
      track_clicks: random(3) === 0,
      list_id: 'news.demo.test',
      body: { text: 'x' },
    },
  };
}

async function sendBatch(api: TestApi, setting: Setting, plans: Plan[]): Promise<LoggedMessage[]> {
  const sent: LoggedMessage[] = [];
  for (const sender of setting.senders) {
    const own = plans.filter((one) => one.sender === sender);
    if (own.length === 0) continue;
    const body = own.map((one) => one.body);
    const { status, text, data } = await api.call('POST', '/v1/send_email', { basic: sender, body });
    if (status !== 200) throw new Error(`Not all were accepted: ${text}`);
    const results = data as { message_id: string }[];
    for (const [index, one] of own.entries()) sent.push(logged(one, results[index]?.message_id ?? ''));
  }
  return sent;
}

function logged({ sender, domain, body }: Plan, id: string): LoggedMessage {
  const row: ExportRow = {
    message_id: id,
    custom_id: body.custom_id,
    recipient_email: body.to[0].email,
    from_email: body.from.email,
    subject: body.subject,
    domain_id: domain.id,
    account_id: sender.account_id,
    domain_name: domain.name,
    account_name: sender.name,
    created_at: '',
    updated_at: '',
    delivery_status: 'new',
    opened_at: null,
    clicked_at: null,
    unsubscribed_at: null,
    spam_complaint_at: null,
    smtp_response: '',
  };
  return { row, events: [], trackOpens: body.track_opens, trackClicks: body.track_clicks };
}

/** Something happens to a message now: as the event that is recorded, and as the line in the test's own record. */
function happen(
  api: TestApi,
  message: LoggedMessage,
  type: MessageEventType,
  pick: <T>(values: readonly T[]) => T,
): MessageEvent {
  const receivedAt = api.clock.now();
  const base = { eventId: randomUUIDv7(), messageId: message.row.message_id, receivedAt };
  const smtp = { smtpResponse: pick(REPLIES), smtpLogId: randomUUIDv7() };
  const visit = {
    userAgent: 'Mozilla/5.0 "x"',
    userIp: pick(['192.0.2.7', '2001:db8::7']),
    automated: pick([false, false, true]),
  };
  const visited = { user_agent: visit.userAgent, user_ip: visit.userIp };
  const note = (details: Record<string, string>) => {
    const isFirst = !message.events.some((event) => event.type === type && event.isUnique);
    const isUnique = (type === 'open' || type === 'click') && !visit.automated && isFirst;
    message.events.push({ type, receivedAt, details, isUnique });
  };
  switch (type) {
    case 'delivery':
    case 'soft_bounce':
    case 'hard_bounce':
      note({ smtp_response: smtp.smtpResponse, smtp_log_id: smtp.smtpLogId });
      return { ...base, ...smtp, type };
    case 'open':
      note(visited);
      return { ...base, ...visit, type };
    case 'click':
      note(visited);
      return { ...base, ...visit, type, trackingUrlDestination: 'https://www.demo.test/' };
    case 'unsubscribe':
      note({ list_id: 'news.demo.test' });
      return { ...base, type, listId: 'news.demo.test' };
    default:
      note({});
      return { ...base, type: 'spam_complaint' };
  }
}

/** What the events make of the message, by the rules as people would say them. */
function settle(row: ExportRow, events: LoggedEvent[]): void {
  events.unshift({ type: 'new', receivedAt: row.created_at, details: {}, isUnique: false });
  const outcomes = events.filter(({ type }) => ['delivery', 'soft_bounce', 'hard_bounce'].includes(type));
  const last = outcomes.at(-1);
  if (last !== undefined) row.delivery_status = last.type as MessageRow['delivery_status'];
  if (outcomes.some(({ type }) => type === 'hard_bounce')) row.delivery_status = 'hard_bounce';
  row.smtp_response = last?.details.smtp_response ?? '';
  row.updated_at = events.at(-1)?.receivedAt ?? row.created_at;
  const first = (wanted: MessageEventType, isUnique: boolean) =>
    events.find((event) => event.type === wanted && event.isUnique === isUnique)?.receivedAt ?? null;
  row.opened_at = first('open', true);
  row.clicked_at = first('click', true);
  row.unsubscribed_at = first('unsubscribe', false);
  row.spam_complaint_at = first('spam_complaint', false);
}

function isNewer(one: ExportRow, other: ExportRow): boolean {
  if (one.created_at !== other.created_at) return one.created_at > other.created_at;
  return one.message_id > other.message_id;
}

/** Repeatable numbers below a bound. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}
