import type { OperationsWith } from '../../../generated/operations.ts';
import { textAt, valueAt } from '../../suite/answer.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import { periodOf, searchable } from '../support/log.ts';
import { domainName, type Made } from '../support/made.ts';

/** A list, and the filters that leave only what was made for the check in it. */
export interface OwnList {
  readonly operation: OperationsWith<'paginated', true>;
  readonly call: LooseCall;
  /** The field that names an entry. */
  readonly key: string;
  /** In the order in which they were made. */
  readonly ids: readonly string[];
}

/** So many of each, one after the other, and how each list shows them alone. `between` is waited for before each but the first. */
export async function ownLists(
  t: Tester,
  made: Made,
  count: number,
  between: () => Promise<void> = async () => {},
): Promise<readonly OwnList[]> {
  const mark = t.unique('Page');
  const domain = domainName(t);
  const { account_id } = await made.account();
  const ids = { accounts: [] as string[], domains: [] as string[], suppressions: [] as string[] };
  const sent: string[] = [];
  for (let at = 0; at < count; at += 1) {
    if (at > 0) await between();
    ids.accounts.push((await made.account({ name: `${mark} ${at}` })).account_id);
    ids.domains.push((await made.domain({ name: `n${at}.${domain}` })).domain_id);
    ids.suppressions.push((await made.suppression({ account_id })).suppression_id);
    sent.push(...(await accepted(t, [mail(t, { subject: mark })])));
  }
  await searchable(t, 'listMessages', sent);
  const period = await periodOf(t, sent);
  return [
    { operation: 'listAccounts', call: { query: { name: mark } }, key: 'account_id', ids: ids.accounts },
    { operation: 'listDomains', call: { query: { name: domain } }, key: 'domain_id', ids: ids.domains },
    {
      operation: 'listSuppressions',
      call: { query: { 'account_ids[]': [account_id] } },
      key: 'suppression_id',
      ids: ids.suppressions,
    },
    {
      operation: 'listMessages',
      call: { query: { subject: mark, ...period } },
      key: 'message_id',
      ids: sent,
    },
  ];
}

/** A page of a list, as it is answered. */
export async function page(t: Tester, { operation, call, key }: OwnList, query: LooseCall['query'] = {}) {
  const answer = await t.call(operation, { ...call, query: { ...call.query, ...query } });
  const data = valueAt(answer.json, 'data');
  const entries: readonly unknown[] = Array.isArray(data) ? data : [];
  const meta = (name: string): number => Number(valueAt(answer.json, `meta.${name}`));
  return {
    answer,
    entries,
    ids: entries.map((entry) => textAt(entry, key)),
    limit: meta('limit'),
    offset: meta('offset'),
    total: meta('total'),
  };
}
