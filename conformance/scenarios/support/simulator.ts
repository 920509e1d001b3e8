import type { Message } from '../../suite/sending.ts';
import { mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import type { SimulatedOutcome } from '../../target/target.ts';

const LINK = 'https://www.conformance.test/offer?from=mail';
const HTML = `<html><body><p>A message of a <a href="${LINK}">conformance run</a>.</p></body></html>`;

/** Where the link of `tracked` leads. */
export const DESTINATION = LINK;

/** The simulator's address for an outcome, with a tag so that nobody else writes to it; the check needs that outcome. */
export function simulated(t: Tester, outcome: SimulatedOutcome): string {
  const address = t.target.simulator?.[outcome];
  if (address === undefined) throw new TypeError(`A check uses simulator.${outcome} without declaring it.`);
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}+${t.unique()}${address.slice(at)}`;
}

/** A message that ends as the outcome says, with a custom ID of its own. */
export function mailTo(t: Tester, outcome: SimulatedOutcome, change: Partial<Message> = {}): Message {
  return mail(t, { to: [{ email: simulated(t, outcome) }], custom_id: t.unique('order'), ...change });
}

/** HTML with a link, opens and clicks tracked, and a list to leave: what each simulated reader needs for its reaction. */
export const tracked = {
  body: { html: HTML, text: 'A message of a conformance run.' },
  track_opens: true,
  track_clicks: true,
  list_id: 'news.conformance.test',
} as const;
