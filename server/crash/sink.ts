import { openSync, writeSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';

// The mail server that everything is delivered to, a process of its own:
// node server/crash/sink.ts '{"ports": [..], "log": "file"}'. It says "ready" once it listens.

export interface SinkOptions {
  /** One for each worker, so that the log tells who brought a copy. */
  ports: readonly number[];
  /** Each mail that is taken is a line here before the sender hears of it. */
  log: string;
}

/** A copy of a mail that was taken. */
export interface Copy {
  /** Its own. */
  copyId: string;
  messageId: string;
  /** The position of the port among the sink's. */
  worker: number;
  /** When, in milliseconds since 1970. */
  at: number;
  isSigned: boolean;
}

/** How the conversation about a copy went on. A copy without one was not answered when the sink was cut off. */
export interface CopyEnd {
  endOf: string;
  /** Whether the sender was there to be told that it was taken. */
  isAnswered: boolean;
}

const SLOWEST_REPLY_MS = 20;
const { ports, log }: SinkOptions = JSON.parse(process.argv[2] ?? '{}');
const file = openSync(log, 'a');
/** Who was asked to come again. */
const deferred = new Set<string>();

let open = 0;
let taken = 0;
for (const [worker, port] of ports.entries()) {
  createServer((socket) => converse(socket, worker)).listen(port, '127.0.0.1', () => {
    open += 1;
    if (open === ports.length) process.send?.('ready');
  });
}
process.once('disconnect', () => process.exit());

function converse(socket: Socket, worker: number): void {
  let buffered = '';
  let isContent = false;
  socket.setNoDelay(true).setEncoding('latin1');
  socket.on('error', () => {});
  socket.write('220 sink\r\n');
  socket.on('data', (chunk) => {
    buffered += String(chunk);
    for (;;) {
      const end = buffered.indexOf(isContent ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const part = buffered.slice(0, end);
      buffered = buffered.slice(end + (isContent ? 5 : 2));
      if (isContent) keep(socket, worker, part);
      else socket.write(`${replyTo(part)}\r\n`);
      isContent = !isContent && /^DATA$/i.test(part);
    }
  });
}

function replyTo(line: string): string {
  const [, verb = ''] = /^([a-z]+)/i.exec(line) ?? [];
  switch (verb.toUpperCase()) {
    case 'EHLO':
      return '250-sink\r\n250 8BITMIME';
    case 'RCPT':
      return verdictOn(/<([^>]*)>/.exec(line)?.[1] ?? '');
    case 'DATA':
      return '354 Go';
    case 'QUIT':
      return '221 2.0.0 Bye';
    default:
      return '250 2.0.0 Ok';
  }
}

/** The recipient's name says what becomes of the mail. */
function verdictOn(recipient: string): string {
  if (recipient.startsWith('unknown-')) return '550 5.1.1 No such user';
  if (recipient.startsWith('later-') && !deferred.has(recipient)) {
    deferred.add(recipient);
    return '451 4.7.1 Come back later';
  }
  return '250 2.1.5 Ok';
}

/** Taken first, said afterwards and not at once: a sender that dies in between cannot know. */
function keep(socket: Socket, worker: number, content: string): void {
  const [head = ''] = content.split('\r\n\r\n', 1);
  const messageId = /^Message-ID: *<([^@>]+)@/im.exec(head)?.[1] ?? '';
  const isSigned = /^DKIM-Signature:/im.test(head);
  taken += 1;
  const copyId = `${process.pid}-${taken}`;
  note({ copyId, messageId, worker, at: Date.now(), isSigned });
  setTimeout(() => answer(socket, copyId), Math.random() * SLOWEST_REPLY_MS);
}

// Noted once the answer is with the system, which passes it on even if this process ends.
function answer(socket: Socket, copyId: string): void {
  const isAnswered = socket.writable;
  if (isAnswered) socket.write('250 2.0.0 Kept\r\n');
  note({ endOf: copyId, isAnswered });
}

function note(line: Copy | CopyEnd): void {
  writeSync(file, `${JSON.stringify(line)}\n`);
}
