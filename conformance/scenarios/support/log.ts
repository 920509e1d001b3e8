import type { QueryParameters } from '../../../generated/operations.ts';
import type { components } from '../../../generated/types.ts';
import { bodyOf } from '../../suite/answer.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import { type Csv, parseCsv } from './csv.ts';
import { compareMoments, inOrder, later } from './moments.ts';

export type LoggedMessage = components['schemas']['Message'];
export type MessageEvent = components['schemas']['MessageEvent'];
export type EventType = components['schemas']['MessageEventType'];
/** The two operations that search the log. */
export type Search = 'listMessages' | 'exportMessages';
export type Filters = QueryParameters<'exportMessages'>;
/** A line of the export by column. */
export type Row = Readonly<Record<string, string>>;

const PAGE = 30;
const KNOWN_DETAILS = ['user_agent', 'user_ip', 'smtp_response', 'smtp_log_id', 'list_id'];
const MINUTE = 60_000_000n;

/** The log entry of a message, as soon as there is one. When none comes, `requirement` is broken, or the check cannot go on. */
export async function logged(t: Tester, messageId: string, requirement?: string): Promise<LoggedMessage> {
  const path = { message_id: messageId };
  const answer = await t.poll(async () => {
    const asked = await t.call('getMessage', { path });
    return asked.status === 200 ? asked : undefined;
  });
  if (answer === undefined)
    return missing(t, requirement, `the accepted message ${messageId} is not in the log`);
  const body = bodyOf(answer, 200);
  if (body === undefined) throw new SetupFailed('the log entry of a message is not as the contract has it');
  return body.data;
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

/** The details that the contract knows of an event; a server may add others. */
export function detailsOf({ details }: MessageEvent): readonly string[] {
  return Object.keys(details).filter((name) => KNOWN_DETAILS.includes(name));
}

/** A period around the time in which these messages were accepted. What lists show without one is left open. */
export async function periodOf(t: Tester, messageIds: readonly string[]) {
  const messages = await Promise.all(messageIds.map((id) => logged(t, id)));
  const times = inOrder(messages.map(({ created_at }) => created_at));
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('No message has no period.');
  return { period_from: later(first, -MINUTE), period_to: later(last, MINUTE) };
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

/** Waits until the list or export has each of the messages: from then on what it shows can be judged. */
export async function searchable(t: Tester, operation: Search, ids: readonly string[]): Promise<void> {
  const period = await periodOf(t, ids);
  const isThere = async (id: string) =>
    (await search(t, operation, { message_id: id, ...period })).includes(id);
  for (const id of ids)
    if ((await t.poll(async () => (await isThere(id)) || undefined)) === undefined)
      throw new SetupFailed(`${operation} does not find a message by its id`);
}

function missing(t: Tester, requirement: string | undefined, message: string): never {
  if (requirement === undefined) throw new SetupFailed(message);
  return t.fail(requirement, message);
}
