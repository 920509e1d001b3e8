import { type Answer, find, type Lookup, ok, pathId, readParameters, type UserCall } from '../call.ts';
import { MILLISECOND, type Micros, stamp } from '../clock.ts';
import { toCsv } from '../csv.ts';
import type { FaultId } from '../faults.ts';
import { page, pageParameters } from '../lists.ts';
import { searchLog } from '../message-filters.ts';
import type { Message, MessageEvent, World } from '../state.ts';

const EVENTS_LATE: Micros = 500n * MILLISECOND;

/** The columns of the export, in their order. */
const COLUMNS = [
  'message_id',
  'custom_id',
  'recipient_email',
  'from_email',
  'subject',
  'domain_id',
  'account_id',
  'domain_name',
  'account_name',
  'created_at',
  'updated_at',
  'opened_at',
  'clicked_at',
  'unsubscribed_at',
  'delivery_status',
  'spam_complaint_at',
  'smtp_response',
] as const;

function messagesOf(world: World, leak: FaultId): Lookup<Message> {
  return { records: world.messages, missing: 'MESSAGE_NOT_FOUND', leak };
}

function showMessage(world: World, message: Message) {
  const { message_id, custom_id, recipient_email, from_email, subject, domain_id, account_id, domain_name } =
    message;
  const account_name = world.accounts.get(account_id)?.name ?? 'deleted';
  return {
    message_id,
    custom_id: world.has('messages.custom-id-lost') ? '' : custom_id,
    recipient_email,
    from_email,
    subject: world.has('messages.subject-lower-case') ? subject.toLowerCase() : subject,
    domain_id,
    account_id,
    domain_name: world.has('messages.names-swapped') ? account_name : domain_name,
    account_name: world.has('messages.names-swapped') ? domain_name : account_name,
    created_at: stamp(message.created_at),
    updated_at: stamp(
      world.has('messages.updated-at-stands-still') ? message.created_at : message.updated_at,
    ),
    delivery_status: world.has('messages.status-stays-new') ? 'new' : message.delivery_status,
    opened_at: stampOrNull(world.has('messages.opened-at-stays-null') ? null : message.opened_at),
    clicked_at: stampOrNull(world.has('messages.clicked-at-stays-null') ? null : message.clicked_at),
    unsubscribed_at: stampOrNull(
      world.has('messages.unsubscribed-at-stays-null') ? null : message.unsubscribed_at,
    ),
    spam_complaint_at: stampOrNull(
      world.has('messages.spam-complaint-at-stays-null') ? null : message.spam_complaint_at,
    ),
  };
}

function stampOrNull(at: Micros | null): string | null {
  return at === null ? null : stamp(at);
}

export function getMessage(call: UserCall): Answer {
  const id = pathId(call, 'message_id');
  return ok(showMessage(call.world, find(call, messagesOf(call.world, 'messages.get-leaks'), id)));
}

export function listMessages(call: UserCall): Answer {
  const { found, all } = searchLog(call, 'messages', pageParameters(call));
  return page(call, 'messages', found, (message) => showMessage(call.world, message), all);
}

export function exportMessages(call: UserCall): Answer {
  const { world } = call;
  const { found } = searchLog(call, 'export');
  const inOrder = world.has('export.oldest-first') ? found : found.toReversed();
  const rows = (world.has('export.stops-at-a-page') ? inOrder.slice(0, 30) : inOrder).map((message) => {
    const shown: Record<string, string | null> = {
      ...showMessage(world, message),
      smtp_response: lastReply(world, message),
    };
    return columnsOf(world).map(
      (column) => shown[column] ?? (world.has('export.null-written') ? 'null' : ''),
    );
  });
  const header = world.has('export.header-missing') ? [] : [columnsOf(world)];
  return {
    status: 200,
    headers: {
      'content-type': world.has('export.content-type-wrong')
        ? 'text/plain; charset=utf-8'
        : 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="messages.csv"',
    },
    body: toCsv(world, [...header, ...rows]),
  };
}

function columnsOf(world: World): string[] {
  if (world.has('export.column-missing')) return COLUMNS.filter((column) => column !== 'smtp_response');
  if (world.has('export.columns-reordered')) return COLUMNS.toReversed();
  return [...COLUMNS];
}

function lastReply(world: World, { events }: Message): string {
  if (world.has('export.smtp-response-empty')) return '';
  return events.findLast(({ details }) => details.smtp_response !== undefined)?.details.smtp_response ?? '';
}

export function listMessageEvents(call: UserCall): Answer {
  const { world } = call;
  const id = pathId(call, 'message_id');
  readParameters(call, pageParameters(call));
  const message = find(call, messagesOf(world, 'events.list-leaks'), id);
  const events = eventsOf(world, message);
  return page(call, 'events', events, ({ received_at, type, details }) => ({
    received_at: stamp(received_at),
    type,
    details,
  }));
}

function eventsOf(world: World, message: Message): MessageEvent[] {
  const delay = world.varies('events-late') ? EVENTS_LATE : 0n;
  const events = message.events.filter(
    ({ type, received_at }) => type === 'new' || received_at + delay <= world.clock.now(),
  );
  if (world.has('events.new-missing')) return events.filter(({ type }) => type !== 'new');
  if (world.has('events.twice'))
    return events.flatMap((event) => (event.type === 'delivery' ? [event, event] : [event]));
  if (world.has('events.of-other-messages')) {
    const others = [...world.messages.values()].filter(({ account_id }) => account_id === message.account_id);
    return others.flatMap((one) => one.events);
  }
  return events;
}
