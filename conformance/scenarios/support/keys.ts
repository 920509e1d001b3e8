import { type Answer, codeOf, valueAt } from '../../suite/answer.ts';
import { mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import type { Caller } from '../../suite/wire.ts';

/** An API key, as its creation shows it. */
export interface CreatedKey {
  readonly api_key_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly api_key: string;
}

/** Creates a key. When that fails, `requirement` is broken; without one, another check judges that. */
export async function createKey(t: Tester, accountId: string, requirement?: string): Promise<CreatedKey> {
  const call = { path: { account_id: accountId }, body: { name: t.unique('key') } };
  const { data } = await t.ok('createApiKey', 201, call, requirement);
  t.hide(data.api_key);
  return data;
}

/** What a key gets that asks to send a message; whether the account may send it is another matter. */
export function sendWith(t: Tester, { account_id, api_key }: CreatedKey): Promise<Answer<'sendEmail'>> {
  const as: Caller = { kind: 'basic', account_id, api_key };
  return t.call('sendEmail', { as, body: [mail(t)] });
}

/**
 * Gives an account of its own a verified domain, so that it can send, and returns an address there.
 * @throws SetupFailed where a new domain below .test cannot be verified.
 */
export async function senderFor(t: Tester, accountId: string): Promise<string> {
  const name = `${t.unique('sender')}.test`;
  const { data } = await t.ok('createDomain', 201, { body: { name, accounts: [accountId] } });
  for (const verify of ['verifyDomainDkim', 'verifyDomainReturnPath'] as const) {
    const answer = await t.call(verify, { path: { domain_id: data.domain_id } });
    if (valueAt(answer.json, 'data') !== 'OK')
      throw new SetupFailed(`a new domain cannot be verified here (${answer.status} ${codeOf(answer)})`);
  }
  return `hello@${name}`;
}
