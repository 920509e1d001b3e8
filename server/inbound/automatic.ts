import { type Header, headerValue } from './headers.ts';

const ROBOT_NAMES = /(?:^|[<\s"])(?:mailer-daemon|postmaster|mail-daemon|mailerdaemon|mdaemon)\b/i;

/** Whether a program wrote the mail as an answer to another one: an out-of-office note, a receipt (RFC 3834, section 5). */
export function isAutomaticReply(headers: readonly Header[]): boolean {
  const value = (name: string) => headerValue(headers, name).toLowerCase();
  return (
    value('auto-submitted').startsWith('auto-replied') ||
    ['x-autoreply', 'x-autorespond', 'x-autoresponder'].some((name) => value(name) !== '') ||
    value('precedence') === 'auto_reply' ||
    value('content-type').includes('disposition-notification')
  );
}

/** Whether a mail system says that it speaks for itself, by the name it goes by or a header that only such mails have. */
export function isFromMailSystem(headers: readonly Header[]): boolean {
  return (
    headerValue(headers, 'x-failed-recipients') !== '' ||
    ROBOT_NAMES.test(headerValue(headers, 'from')) ||
    ROBOT_NAMES.test(headerValue(headers, 'sender'))
  );
}
