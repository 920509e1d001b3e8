import { createHmac, timingSafeEqual } from 'node:crypto';

/** What the path of a genuine tracking URL says. */
export type TrackedRequest =
  | { kind: 'open'; messageId: string }
  | { kind: 'click'; messageId: string; destination: string }
  | { kind: 'unsubscribe'; messageId: string };

type Key = string | Buffer;

const ID_BYTES = 16;
const MAC_BYTES = 16;
// An id and its HMAC, 32 bytes; a destination.
const PATH = /^\/([ocu])\/([\w-]{43})(?:\/([\w-]+))?$/;
// Keep the HMACs apart from each other, and from those of signed mail addresses under the same key.
const LABELS = { o: 'open', c: 'click', u: 'one-click' } as const;
type Letter = keyof typeof LABELS;

/** The path of a message's tracking pixel, `/o/<id and HMAC>`. */
export function openPath(messageId: string, key: Key): string {
  return pathOf('o', messageId, undefined, key);
}

/** The path that redirects to a destination, `/c/<id and HMAC>/<destination>`; the HMAC covers both. */
export function clickPath(messageId: string, destination: string, key: Key): string {
  return pathOf('c', messageId, destination, key);
}

/** The path that unsubscribes the recipient of a message, `/u/<id and HMAC>`. */
export function unsubscribePath(messageId: string, key: Key): string {
  return pathOf('u', messageId, undefined, key);
}

/** What a path asks for; undefined when this service did not make it, letter for letter. */
export function readTrackingPath(path: string, key: Key): TrackedRequest | undefined {
  const [, letter, token = '', encoded] = PATH.exec(path) ?? [];
  const isClick = letter === 'c';
  if (!isLetter(letter) || isClick !== (encoded !== undefined)) return undefined;
  const destination = encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString();
  const messageId = idOf(Buffer.from(token, 'base64url').subarray(0, ID_BYTES));
  // The whole path, so that no second spelling of it (spare bits of base64, broken UTF-8) is taken.
  if (!isSame(path, pathOf(letter, messageId, destination, key))) return undefined;
  if (destination !== undefined) return { kind: 'click', messageId, destination };
  return { kind: letter === 'o' ? 'open' : 'unsubscribe', messageId };
}

function isLetter(letter: string | undefined): letter is Letter {
  return letter !== undefined && Object.hasOwn(LABELS, letter);
}

function pathOf(letter: Letter, messageId: string, destination: string | undefined, key: Key): string {
  const id = Buffer.from(messageId.replaceAll('-', ''), 'hex');
  const hmac = createHmac('sha256', key).update(`${LABELS[letter]}:`).update(id);
  const mac = hmac
    .update(destination ?? '')
    .digest()
    .subarray(0, MAC_BYTES);
  const path = `/${letter}/${Buffer.concat([id, mac]).toString('base64url')}`;
  return destination === undefined ? path : `${path}/${Buffer.from(destination).toString('base64url')}`;
}

function isSame(path: string, genuine: string): boolean {
  return path.length === genuine.length && timingSafeEqual(Buffer.from(path), Buffer.from(genuine));
}

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
