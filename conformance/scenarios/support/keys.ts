import type { Answer } from '../../suite/answer.ts';
import { mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
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
