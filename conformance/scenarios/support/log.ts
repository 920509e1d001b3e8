import type { QueryParameters } from '../../../generated/operations.ts';
import type { components } from '../../../generated/types.ts';
import { bodyOf } from '../../suite/answer.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import { type Csv, parseCsv } from './csv.ts';
import { compareMoments, endOf, inOrder } from './moments.ts';

export type LoggedMessage = components['schemas']['Message'];
export type MessageEvent = components['schemas']['MessageEvent'];
export type EventType = components['schemas']['MessageEventType'];
/** The two operations that search the log. */
export type Search = 'listMessages' | 'exportMessages';
export type Filters = QueryParameters<'exportMessages'>;
/** A line of the export by column. */
export type Row = Readonly<Record<string, string>>;

const PAGE = 30;

/** The log entry of a message, as soon as there is one. When none comes, `requirement` is broken, or the check cannot go on. */
export async function logged(t: Tester, messageId: string, requirement?: string): Promise<LoggedMessage> {
  const path = { message_id: messageId };
  const body = await t.poll(async () => bodyOf(await t.call('getMessage', { path }), 200));
  return body?.data ?? missing(t, requirement, `the accepted message ${messageId} is not in the log`);
}

/** The events of a message, oldest first; messages of the suite have no more than a page of them. */
export async function eventsOf(t: Tester, messageId: string): Promise<readonly MessageEvent[]> {
  const call = { path: { message_id: messageId }, query: { limit: PAGE } };
  const { data } = await t.ok('listMessageEvents', 200, call);
  return data.toReversed().sort((one, other) => compareMoments(one.received_at, other.received_at));
}

/** The first event of this type, as soon as there is one. When none comes: as for `logged`. */
export async function eventOf<Type extends EventType>(
  t: Tester,
  messageId: string,
  type: Type,
  requirement?: string,
): Promise<MessageEvent & { type: Type }> {
  const isWanted = (event: MessageEvent): event is MessageEvent & { type: Type } => event.type === type;
  const event = await t.poll(async () => (await eventsOf(t, messageId)).find(isWanted));
  return event ?? missing(t, requirement, `the message ${messageId} has no event ${type}`);
}

/** The period in which these messages were accepted, in the server's own words. What lists show without one is left open. */
export async function periodOf(t: Tester, messageIds: readonly string[]) {
  const messages = await Promise.all(messageIds.map((id) => logged(t, id)));
  const times = inOrder(messages.map(({ created_at }) => created_at));
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('No message has no period.');
  return { period_from: first, period_to: endOf(last) };
}

/** Which messages the list (its first page) or the export has for the filters, in its order. */
export async function search(
  t: Tester,
  operation: Search,
  query: Filters,
  requirement?: string,
): Promise<readonly string[]> {
  if (operation === 'exportMessages')
    return (await exported(t, query, requirement)).map(({ message_id: id = '' }) => id);
  const { data } = await t.ok('listMessages', 200, { query: { ...query, limit: PAGE } }, requirement);
  return data.map(({ message_id: id }) => id);
}

/** The lines of the export. What is wrong with the file as such is another check's. */
export async function exported(t: Tester, query: Filters, requirement?: string): Promise<readonly Row[]> {
  const rows = rowsOf(parseCsv(await t.ok('exportMessages', 200, { query }, requirement)));
  if (rows === undefined) throw new SetupFailed('the export is no CSV file that can be read');
  return rows;
}

function rowsOf(csv: Csv): readonly Row[] | undefined {
  if ('fault' in csv) return undefined;
  const [header, ...records] = csv.records;
  if (!header?.includes('message_id')) return undefined;
  return records.map((record) =>
    Object.fromEntries(header.map((name, index) => [name, record[index] ?? ''])),
  );
}

/** Waits until list and export have the messages: from then on what they show can be judged. */
export async function searchable(t: Tester, operation: Search, filters: Filters, ids: readonly string[]) {
  const isThere = await t.poll(async () => {
    const found = await search(t, operation, filters);
    return ids.every((id) => found.includes(id)) ? true : undefined;
  });
  if (isThere !== true) throw new SetupFailed(`${operation} does not show what was sent`);
}

function missing(t: Tester, requirement: string | undefined, message: string): never {
  if (requirement === undefined) throw new SetupFailed(message);
  return t.fail(requirement, message);
}
