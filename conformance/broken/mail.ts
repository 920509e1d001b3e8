import { stamp } from './clock.ts';
import type { Submission } from './message-form.ts';
import { type Domain, type Mail, type Message, newId, type World } from './state.ts';

// Mails as they leave the server (RFC 5322, RFC 2047 for what is not ASCII).

const LONGEST_PLAIN = 900;
const ENCODED_BYTES = 42;
const BASE64_LINE = 76;

interface Addressee {
  email: string;
  name?: string | undefined;
}
type Header = readonly [name: string, value: string];
interface Part {
  type: string;
  content: string;
}

/** The mail of a message. */
export function deliveredMail(world: World, message: Message, domain: Domain, submission: Submission): Mail {
  const { from, to, subject, body, reply_to = [] } = submission;
  const headers: Header[] = [
    ['From', mailbox(world.has('mail.from-name-lost') ? { email: from.email } : from)],
    ['To', to.map(mailbox).join(', ')],
    ['Subject', encode(world.has('mail.subject-lost') ? 'Message' : subject)],
    ['Message-ID', `<${message.message_id}@${domain.name}>`],
    ...customIdHeader(world, submission),
    ...(reply_to.length > 0 && !world.has('mail.reply-to-missing')
      ? [['Reply-To', reply_to.map(mailbox).join(', ')] as const]
      : []),
    ...listHeaders(world, message),
  ];
  const html = htmlOf(world, message, body.html ?? '');
  const text = body.text ?? '';
  const parts = [
    ...(text === '' || world.has('mail.text-lost') ? [] : [{ type: 'text/plain', content: text }]),
    ...(html === '' || world.has('mail.html-lost') ? [] : [{ type: 'text/html', content: html }]),
  ];
  const envelopeFrom = `b-${message.message_id}@${domain.return_path_hostname}.${domain.name}`;
  return toMail(world, envelopeFrom, message.recipient_email, headers, parts);
}

/** The mail with the token for a new password. */
export function resetMail(world: World, address: string, token: string): Mail {
  const sender = 'no-reply@another-server.test';
  const headers: Header[] = [
    ['From', sender],
    ['To', address],
    ['Subject', 'Your new password'],
    ['Message-ID', `<${newId()}@another-server.test>`],
  ];
  const content = `Set a new password with this token. It is valid for one hour.\r\n\r\n${token}\r\n`;
  return toMail(world, sender, address, headers, [{ type: 'text/plain', content }]);
}

function customIdHeader(world: World, { custom_id = '' }: Submission): Header[] {
  if (custom_id === '' || world.has('mail.custom-id-header-missing')) return [];
  return [['X-Message-Custom-Id', encode(custom_id)]];
}

function listHeaders(world: World, { message_id, list_id, list_unsubscribe }: Message): Header[] {
  if (list_id === null && list_unsubscribe === null) return [];
  const unsubscribe: Header[] = world.has('mail.list-unsubscribe-missing')
    ? []
    : [
        ['List-Unsubscribe', `<${world.webUrl}/u/${message_id}>`],
        ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
      ];
  if (list_id === null || world.has('mail.list-id-missing')) return unsubscribe;
  return [...unsubscribe, ['List-Id', `<${encode(list_id)}>`]];
}

function htmlOf(
  world: World,
  { message_id, links, track_opens, track_clicks }: Message,
  html: string,
): string {
  if (html === '') return '';
  const isTracked = track_clicks || world.has('mail.links-always-replaced');
  let linked = html;
  if (isTracked && !world.has('mail.links-not-replaced')) {
    for (const [index, url] of links.entries()) {
      linked = linked.replaceAll(
        `"${url.replaceAll('&', '&amp;')}"`,
        `"${world.webUrl}/c/${message_id}/${index}"`,
      );
      linked = linked.replaceAll(`"${url}"`, `"${world.webUrl}/c/${message_id}/${index}"`);
    }
  }
  const hasPixel = (track_opens && !world.has('mail.pixel-missing')) || world.has('mail.pixel-always');
  return hasPixel
    ? `${linked}<img src="${world.webUrl}/o/${message_id}" width="1" height="1" alt="">`
    : linked;
}

function toMail(world: World, from: string, to: string, headers: Header[], parts: Part[]): Mail {
  const at = world.clock.now();
  const date = new Date(Number(at / 1000n)).toUTCString().replace('GMT', '+0000');
  const lines = [...headers, ['Date', date], ['MIME-Version', '1.0']].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return { from, to: [to], received_at: at, raw: lines.join('') + bodyOf(parts) };
}

function bodyOf(parts: readonly Part[]): string {
  const [only = { type: 'text/plain', content: '' }, ...others] = parts;
  if (others.length === 0) return partOf(only);
  const boundary = `=_${newId()}`;
  const inner = parts.map((part) => `--${boundary}\r\n${partOf(part)}`).join('');
  return `Content-Type: multipart/alternative; boundary="${boundary}"\r\n\r\n${inner}--${boundary}--\r\n`;
}

function partOf({ type, content }: Part): string {
  const isPlain =
    /^[\t\r\n\x20-\x7e]*$/.test(content) && !/[^\r\n]{900}/.test(content) && content.endsWith('\r\n');
  const encoding = isPlain ? '7bit' : 'base64';
  const encoded = isPlain ? content : wrap(Buffer.from(content).toString('base64'));
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${encoded}\r\n`;
}

function wrap(base64: string): string {
  return base64.replaceAll(new RegExp(`(.{${BASE64_LINE}})(?!$)`, 'g'), '$1\r\n');
}

function mailbox({ email, name = '' }: Addressee): string {
  if (name === '') return email;
  const isPlain = /^[\x20-\x7e]+$/.test(name) && !name.includes('=?');
  const phrase = isPlain ? `"${name.replaceAll(/["\\]/g, '\\$&')}"` : encode(name);
  return `${phrase} <${email}>`;
}

/** As it is when it is short and ASCII, in encoded words otherwise (RFC 2047). */
function encode(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && text === text.trim() && !text.includes('=?');
  if (isPlain && text.length <= LONGEST_PLAIN) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > ENCODED_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  words.push(word);
  return words.map((one) => `=?utf-8?B?${Buffer.from(one).toString('base64')}?=`).join('\r\n ');
}

/** What the hook for captured mails answers. */
export function showMail({ from, to, received_at, raw }: Mail) {
  return { from, to, received_at: stamp(received_at), raw };
}
