import { createHash } from 'node:crypto';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import { asciiDomain } from '../domain/ascii.ts';
import type { OutgoingMessage } from '../store/delivery-rows.ts';
import { unsubscribePath } from '../tracking/tokens.ts';
import { headerText } from './header-text.ts';
import type { MailIdentity } from './mail.ts';
import { unsubscribeAddressOf } from './unsubscribe-address.ts';

/**
 * The headers that give a mail program its unsubscribe button: the service's own addresses for mail and for one click (RFC 2369,
 * RFC 8058), whatever the sender named (DECISIONS: mail-unsubscribe-own), and the list.
 */
export function listHeaders(
  message: OutgoingMessage,
  { key, webUrl, mailHostname }: MailIdentity,
): { key: string; value: string }[] {
  const { messageId, listUnsubscribe } = message;
  const hasList = headerText(message.listId) !== '';
  const headers = hasList ? [{ key: 'List-Id', value: listId(message) }] : [];
  if (!hasList && headerText(listUnsubscribe ?? '') === '') return headers;
  const mail = `mailto:${unsubscribeAddressOf(messageId, mailHostname, key)}`;
  const web = `${webUrl}${unsubscribePath(messageId, key)}`;
  return [
    ...headers,
    { key: 'List-Unsubscribe', value: `<${mail}>, <${web}>` },
    { key: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ];
}

const DOTTED_ATOMS = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)+$/;
const ATOM = /^[\w-]+$/;
const PHRASE = /^[\w -]+$/;

/**
 * The List-Id header (RFC 2919): the sender's identifier if it has the form of one; a single word is put under the sending
 * domain; any other text becomes the description of an identifier made from it, which stays the same for the same list.
 */
function listId({ listId, domainName }: OutgoingMessage): string {
  const text = headerText(listId);
  const domain = asciiDomain(domainName);
  if (DOTTED_ATOMS.test(text)) return `<${text}>`;
  if (ATOM.test(text)) return `<${text}.${domain}>`;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const phrase = PHRASE.test(text) ? text : encodeWord(text, 'Q', 52);
  return `${phrase} <${digest}.${domain}>`;
}
