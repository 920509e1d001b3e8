import { createHash } from 'node:crypto';

/** A page for people, and what its answer has to say about it. */
export interface Page {
  status: number;
  html: string;
}

const STYLE =
  ':root{color-scheme:light dark}' +
  'body{font:1.125rem/1.6 system-ui,sans-serif;max-width:36rem;margin:0 auto;padding:2rem 1.25rem}' +
  'h1{font-size:1.5rem;line-height:1.3}' +
  'strong{overflow-wrap:anywhere}' +
  'button{font:inherit;padding:.6rem 1.2rem;border:2px solid;border-radius:.4rem;cursor:pointer}';

/** What the pages may do: show themselves, and send their own form. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The answer to every URL that this service did not make. */
export function notFoundPage(): Page {
  return page(404, 'Nothing here', [
    'This address does not exist. If you followed a link in a message, it may have been cut off: try to copy the whole of it.',
  ]);
}

/** Asks a person who opened the unsubscribe link whether to unsubscribe; the button sends what RFC 8058 has mail programs send. */
export function confirmationPage({ fromEmail, listId }: { fromEmail: string; listId: string }): Page {
  const list = listId === '' ? '' : `, on the list <strong>${escaped(listId)}</strong>`;
  return page(
    200,
    'Unsubscribe?',
    [
      `You were sent a message by <strong>${escaped(fromEmail)}</strong>${list}. Do you want no more of them?`,
    ],
    '<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button type="submit">Unsubscribe</button></form>',
  );
}

/** Says that it is done. */
export function unsubscribedPage({ fromEmail }: { fromEmail: string }): Page {
  return page(200, 'You are unsubscribed', [
    `You will get no more of these messages from <strong>${escaped(fromEmail)}</strong>. One that is on its way already may still arrive.`,
  ]);
}

/** The message is not in the log any more, so nobody knows whom to unsubscribe from what. */
export function forgottenPage(): Page {
  return page(410, 'This link is too old', [
    'The message that it came with is no longer on record. Please use the link of a newer message, or write to its sender.',
  ]);
}

/** Somebody sent a form that is not ours. */
export function notAskedPage(): Page {
  return page(400, 'Nothing was changed', [
    'This request does not ask to unsubscribe. Please open the link of the message again, and use the button there.',
  ]);
}

/** The service cannot do it now. */
export function unavailablePage(): Page {
  return page(503, 'Please try again', [
    'This cannot be done at the moment, and nothing was changed. Please try again in a few minutes.',
  ]);
}

function page(status: number, title: string, paragraphs: readonly string[], rest = ''): Page {
  const text = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('');
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style>`;
  return {
    status,
    html: `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>${title}</h1>${text}${rest}</main></body></html>\n`,
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
