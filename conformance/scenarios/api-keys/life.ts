import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import { differences, show } from '../support/compare.ts';
import { createKey, sendWith } from '../support/keys.ts';
import { withMade } from '../support/made.ts';
import { requireStatus } from '../support/refused.ts';
import { verifiedDomain } from '../support/verified.ts';

/** API keys come into being, send and go. */
export const life: readonly Check[] = [
  {
    id: 'api-keys/account-starts-without-keys',
    title: 'A new account has no API keys',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const { data } = await t.ok('listApiKeys', 200, { path: { account_id } });
        const requirement = 'api_keys.account-starts-without-keys';
        t.require(requirement, data.length === 0, `expected no keys, got ${data.length}`);
      }),
  },
  {
    id: 'api-keys/created-key-sends',
    title: 'A created key belongs to its account, and sends at once',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const key = await createKey(t, account_id, 'api_keys.create');
        const wrong = differences(key, { account_id });
        t.require('api_keys.create', wrong === '', `the created key is another: ${wrong}`);
        const answer = await sendWith(t, key);
        const isLetIn = answer.status < 300;
        t.require(
          'api_keys.create',
          isLetIn,
          `expected the new key to be let in, got ${answer.status}`,
          answer,
        );
      }),
  },
  {
    id: 'api-keys/several-keys-send',
    title: 'Several keys of one account send side by side',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const keys = [
          await createKey(t, account_id),
          await createKey(t, account_id),
          await createKey(t, account_id),
        ];
        const distinct = new Set(keys.map(({ api_key: key }) => key)).size;
        for (const requirement of ['api_keys.several', 'authentication.several-keys']) {
          t.require(requirement, distinct === keys.length, `expected three different keys, got ${distinct}`);
          for (const [index, key] of keys.entries()) {
            const answer = await sendWith(t, key);
            const message = `expected key ${index + 1} of 3 to be let in, got ${answer.status}`;
            t.require(requirement, answer.status < 300, message, answer);
          }
        }
      }),
  },
  {
    id: 'api-keys/key-is-shown-once',
    title: 'Only its creation shows a key: neither the list nor its revocation does',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const key = await createKey(t, account_id);
        const list = await t.call('listApiKeys', { path: { account_id } });
        const gone = await t.call('revokeApiKey', { path: { account_id, api_key_id: key.api_key_id } });
        for (const answer of [list, gone]) {
          const isHidden = !answer.text.includes(key.api_key);
          t.require('api_keys.shown-once', isHidden, `${answer.operation} shows the key itself`, answer);
        }
      }),
  },
  {
    id: 'api-keys/list-shows-the-created',
    title: 'The list shows the keys of the account, newest first, and those of no other',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const [one, other] = [await made.account(), await made.account()];
        const keys = [];
        for (let count = 0; count < 3; count += 1) keys.push(await createKey(t, one.account_id));
        await createKey(t, other.account_id);
        const { data } = await t.ok(
          'listApiKeys',
          200,
          { path: { account_id: one.account_id } },
          'api_keys.list',
        );
        const names = data.map(({ name }) => name);
        const expected = keys.map(({ name }) => name).reverse();
        t.require(
          'api_keys.list',
          show(names) === show(expected),
          `expected ${show(expected)}, got ${show(names)}`,
        );
      }),
  },
  {
    id: 'api-keys/revoked-key-is-refused',
    title: 'A revoked key is refused at the next request, and its record is returned; the other keys go on',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const [key, other] = [await createKey(t, account_id), await createKey(t, account_id)];
        await sendWith(t, key);
        const path = { account_id, api_key_id: key.api_key_id };
        const { data } = await t.ok('revokeApiKey', 200, { path }, 'api_keys.revoke');
        const wrong = differences(data, { api_key_id: key.api_key_id, account_id, name: key.name });
        t.require(
          'api_keys.revoke-returns-the-key',
          wrong === '',
          `the record of another key came back: ${wrong}`,
        );
        requireStatus(t, 'api_keys.revoke', await sendWith(t, key), 401, 'sending with a revoked key');
        const left = await sendWith(t, other);
        t.require(
          'api_keys.revoke',
          left.status < 300,
          `expected the other key to send, got ${left.status}`,
          left,
        );
      }),
  },
  {
    id: 'api-keys/last-use-is-shown',
    title: 'A key shows when it was last used, and null before',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const key = await createKey(t, account_id);
        const lastUse = async () => {
          const { data } = await t.ok('listApiKeys', 200, { path: { account_id } });
          return data.find(({ api_key_id: id }) => id === key.api_key_id)?.last_used_at ?? undefined;
        };
        const before = await lastUse();
        t.require(
          'api_keys.last-used',
          before === undefined,
          `expected null before the first use, got ${before}`,
        );
        await sendWith(t, key);
        await t.eventually('api_keys.last-used', 'expected last_used_at after a use', lastUse);
      }),
  },
  {
    id: 'api-keys/deleted-account-cannot-send',
    title: 'Deleting an account takes its keys along',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const key = await createKey(t, account_id);
        await t.ok('deleteAccount', 200, { path: { account_id } });
        const answer = await sendWith(t, key);
        requireStatus(
          t,
          'accounts.delete-takes-keys',
          answer,
          401,
          'sending with the key of a deleted account',
        );
      }),
  },
  {
    id: 'api-keys/deleted-account-takes-its-log',
    title: 'Deleting an account takes its messages along',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id, type } = await made.account();
        const { name } = await verifiedDomain(t, made, [account_id]);
        const from = { email: `hello@${name}` };
        const { api_key } = await createKey(t, account_id);
        const message = mail(t, { from });
        const [id = ''] = await accepted(t, [message], { account_id, api_key, type });
        await t.ok('deleteAccount', 200, { path: { account_id } });
        const requirement = 'accounts.delete-takes-log';
        const one = await t.call('getMessage', { path: { message_id: id } });
        requireStatus(t, requirement, one, 409, 'a message of a deleted account');
        const list = await t.call('listMessages', { query: { message_id: id } });
        const total = valueAt(list.json, 'meta.total');
        t.require(
          requirement,
          total === 0,
          `expected the log without the message, got a total of ${total}`,
          list,
        );
      }),
  },
];
