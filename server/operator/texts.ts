import { safeText } from '../domain/safe-text.ts';
import type {
  MessageStory,
  QueueOverview,
  WaitingDestination,
  WaitingMessage,
} from '../store/operator-store.ts';
import type { WatchedAttempt } from '../store/webhook-rows.ts';

// What stands here comes from strangers in part (replies, addresses, subjects) and goes to a terminal: each value is made safe.

const LONGEST_VALUE = 300;
const LONGEST_LINE = 1000;

const shown = (text: string | null) => safeText(text ?? '', LONGEST_VALUE);
/** To the second: who reads this looks at a clock on the wall. */
const moment = (timestamp: string) => `${timestamp.slice(0, 19).replace('T', ' ')} UTC`;

/** The queue: how many wait, for whom, and a page of them with the reason of each. */
export function queueText(queue: {
  overview: QueueOverview;
  destinations: readonly WaitingDestination[];
  messages: readonly WaitingMessage[];
  offset: number;
}): string {
  const { overview, destinations, messages, offset } = queue;
  const { due, later, active, oldest } = overview;
  const total = due + later + active;
  if (total === 0 || oldest === null) return 'Nothing waits.\n';
  const lines = [
    `${due + later} wait: ${due} due now, ${later} later. ${active} in delivery. The oldest was accepted at ${moment(oldest)}.`,
    '',
    'By destination:',
    ...destinations.map(
      (one) =>
        `  ${shown(one.domain)}: ${one.messages}, next attempt ${moment(one.nextAttempt)}, oldest of ${moment(one.oldest)}`,
    ),
    '',
  ];
  if (messages.length === 0) lines.push(`There are no messages from ${offset + 1} on.`);
  else lines.push(`Messages ${offset + 1} to ${offset + messages.length} of ${total}, by next attempt:`);
  lines.push(...messages.flatMap(waitingLines));
  return `${lines.join('\n')}\n`;
}

function waitingLines(message: WaitingMessage): string[] {
  const next = message.isActive ? 'in delivery' : moment(message.nextAttempt);
  const first = `  ${message.messageId}  ${next}  ${shown(message.recipient)}  attempts: ${message.attempts}`;
  return message.lastResponse === '' ? [first] : [first, `      ${shown(message.lastResponse)}`];
}

/** The whole story of a message, the conversations included. */
export function storyText({ message, waiting, attempts, events, suppression }: MessageStory): string {
  const facts: [string, string][] = [
    ['Message', message.message_id],
    ['Custom id', shown(message.custom_id)],
    ['From', shown(message.from_email)],
    ['To', shown(message.recipient_email)],
    ['Subject', shown(message.subject)],
    ['Account', `${shown(message.account_name)} (${message.account_id})`],
    ['Domain', `${shown(message.domain_name)} (${message.domain_id})`],
    ['Organisation', `${shown(message.organisation_name)} (${message.organisation_id})`],
    ['Accepted', moment(message.created_at)],
    ['Status', message.delivery_status],
    [
      'Next attempt',
      waiting === undefined ? 'none' : waiting.isActive ? 'under way' : moment(waiting.nextAttempt),
    ],
    [
      'Suppression',
      suppression === undefined
        ? 'none'
        : `${suppression.type}, ${moment(suppression.created_at)} ${shown(suppression.reason)}`.trim(),
    ],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = [
    ...facts.filter(([, value]) => value !== '').map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    '',
    attempts.length === 0 ? 'No attempt yet.' : 'Attempts:',
    ...attempts.flatMap((attempt) => [
      `  ${moment(attempt.finished_at)}  ${attemptName(attempt.attempt)}  ${attempt.verdict}  ${shown(attempt.host)}`,
      `      ${shown(attempt.response)}`,
      ...attempt.transcript
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => `      | ${safeText(line, LONGEST_LINE)}`),
    ]),
    '',
    'Events:',
    ...events.map((event) => {
      const details = Object.entries(event.details).map(
        ([name, value]) => `${name}: ${shown(String(value))}`,
      );
      return `  ${moment(event.received_at)}  ${event.type}  ${details.join('; ')}`.trimEnd();
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/** 0 is what happened outside of a delivery: a report by mail, or the operator. */
function attemptName(attempt: number): string {
  return attempt === 0 ? 'afterwards' : `attempt ${attempt}`;
}

/** An attempt to notify, on one line. */
export function attemptLine({ account_name, event, status, attempt }: WatchedAttempt): string {
  const { attempted_at, result, status_code, duration_ms, url, response } = attempt;
  const facts = [moment(attempted_at), shown(account_name), event, status, result, status_code ?? '-'];
  return [...facts, `${duration_ms} ms`, shown(url), shown(response)].join('  ').trimEnd();
}

/** The same for programs: an object on one line, in which nothing steers a terminal. */
export function jsonLine(attempt: WatchedAttempt): string {
  return JSON.stringify(attempt).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    // One escape for each half of what lies beyond the first plane.
    (character) => character.split('').map(escaped).join(''),
  );
}

const escaped = (half: string) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`;
