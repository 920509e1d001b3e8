import type { OperationId } from '../../../generated/operations.ts';
import { type Answer, codeOf, textAt, valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { logged } from '../support/log.ts';
import { domainName, type Made, withMade } from '../support/made.ts';
import { requireStatus } from '../support/refused.ts';

/** An operation that takes a body, and how to make one that is fine. */
interface Writing {
  readonly operation: OperationId;
  readonly path: Readonly<Record<string, string>>;
  body(): object;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const OTHER_TYPES = [
  'application/json',
  'text/plain',
  'text/html; charset=iso-8859-1',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  undefined,
];
const NO_JSON = [
  '{',
  '{"name": "a",}',
  "{'name': 'a'}",
  'name=a',
  '<name/>',
  '{"name": "a"} more',
  'undefined',
];
const EMPTY = ['', ' \r\n'];
// A day on which nothing was sent.
const LONG_AGO = { period_from: '2001-01-01', period_to: '2001-01-01' };

/** Every operation of the description that takes a body. */
async function writings(t: Tester, made: Made): Promise<readonly Writing[]> {
  const { account_id } = await made.account();
  const { domain_id } = await made.domain();
  const { email, password } = t.tenant;
  const path = {};
  return [
    { operation: 'sendEmail', path, body: () => [mail(t)] },
    { operation: 'login', path, body: () => ({ email, password, grant_type: 'password' }) },
    { operation: 'createAccount', path, body: () => ({ name: t.unique('Zoë'), type: 'marketing' }) },
    { operation: 'updateAccount', path: { account_id }, body: () => ({ name: t.unique('Zoë') }) },
    { operation: 'createDomain', path, body: () => ({ name: domainName(t), accounts: [account_id] }) },
    { operation: 'updateDomain', path: { domain_id }, body: () => ({ accounts: [account_id] }) },
    {
      operation: 'createSuppression',
      path,
      body: () => ({ account_id, recipient_email: t.address(), reason: 'asked by Zoë' }),
    },
  ];
}

/** Sends it, and takes care of what comes of it. */
async function write(t: Tester, made: Made, { operation, path }: Writing, call: LooseCall): Promise<Answer> {
  const answer = await t.call(operation, { path, ...call });
  const id = (key: string): string => textAt(answer.json, `data.${key}`);
  if (answer.status !== 201) return answer;
  if (operation === 'createAccount') made.adoptAccount(id('account_id'));
  if (operation === 'createDomain') made.adoptDomain(id('domain_id'));
  if (operation === 'createSuppression') made.adoptSuppression(id('suppression_id'));
  return answer;
}

/** The body was read and was fine: a success, and no message of a batch is rejected. */
function requireRead(t: Tester, requirement: string, answer: Answer, what: string): void {
  const isFine = answer.status < 300 && answer.status !== 207;
  const message = `expected a success for ${answer.operation} with ${what}, got ${answer.status}`;
  t.require(requirement, isFine, message, answer);
}

/** What is in the answer is what was in the body, also beyond ASCII. */
function requireSameTexts(t: Tester, requirement: string, answer: Answer, body: object): void {
  for (const name of ['name', 'reason']) {
    const sent = valueAt(body, name);
    const got = valueAt(answer.json, `data.${name}`);
    const isSame = sent === undefined || got === sent;
    t.require(requirement, isSame, `expected the ${name} ${show(sent)}, got ${show(got)}`, answer);
  }
}

/** How request bodies are read. */
export const bodies: readonly Check[] = [
  {
    id: 'conventions/media-type-does-not-matter',
    title: 'A body is read as JSON in UTF-8, whatever the Content-Type says, and without one',
    run: (t) =>
      withMade(t, async (made) => {
        for (const writing of await writings(t, made)) {
          const tryOne = async (requirement: string, type: string | undefined): Promise<void> => {
            const body = writing.body();
            const answer = await write(t, made, writing, { body, headers: { 'content-type': type } });
            requireRead(
              t,
              requirement,
              answer,
              type === undefined ? 'no Content-Type' : `Content-Type ${type}`,
            );
            requireSameTexts(t, requirement, answer, body);
          };
          await tryOne('conventions.json-bodies', JSON_TYPE);
          for (const type of OTHER_TYPES) await tryOne('conventions.media-type-does-not-matter', type);
        }
      }),
  },
  {
    id: 'conventions/invalid-json-400',
    title: 'A body that is no JSON is 400 INVALID_JSON, and so is an empty one',
    run: (t) =>
      withMade(t, async (made) => {
        const isRefused = async (requirement: string, writing: Writing, call: LooseCall, what: string) => {
          const answer = await write(t, made, writing, call);
          requireStatus(t, requirement, answer, 400, `${writing.operation} with ${what}`);
          const code = codeOf(answer);
          t.require(requirement, code === 'INVALID_JSON', `expected INVALID_JSON, got ${code}`, answer);
        };
        for (const writing of await writings(t, made)) {
          for (const rawBody of NO_JSON)
            await isRefused('http.invalid-json-400', writing, { rawBody }, `the body ${rawBody}`);
          for (const rawBody of EMPTY)
            await isRefused('conventions.empty-body-400', writing, { rawBody }, `the body ${show(rawBody)}`);
          await isRefused('conventions.empty-body-400', writing, {}, 'no body');
        }
      }),
  },
  {
    id: 'conventions/unknown-fields-and-parameters-are-ignored',
    title: 'A field or a parameter that the contract does not know is ignored',
    run: (t) =>
      withMade(t, async (made) => {
        const requirement = 'conventions.unknown-is-ignored';
        const more = { x_unknown: 'a', x_list: [1, null], x_object: { name: 'b', x: {} } };
        for (const writing of await writings(t, made)) {
          const body = writing.body();
          const wider = Array.isArray(body) ? body.map((one) => ({ ...one, ...more })) : { ...body, ...more };
          const answer = await write(t, made, writing, { body: wider, query: { x_unknown: 'a' } });
          requireRead(t, requirement, answer, 'unknown fields');
          requireSameTexts(t, requirement, answer, body);
        }
        const { message_id } = await oneMessage(t);
        const reading: OperationId[] = [
          'listAccounts',
          'listDomains',
          'listSuppressions',
          'listMessages',
          'listMessageEvents',
          'exportMessages',
          'getStats',
        ];
        for (const operation of reading) {
          const query = { ...LONG_AGO, x_unknown: ['a', 'b'], 'x_unknown[]': 'c' };
          const answer = await t.call(operation, { path: { message_id }, query });
          requireRead(t, requirement, answer, 'unknown parameters');
        }
      }),
  },
  {
    id: 'conventions/null-means-absent',
    title: 'An optional field that is null counts as absent, a required one as missing',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        await requireOptionalNulls(t, made, account_id);
        const missing: [OperationId, object][] = [
          ['createAccount', { name: null, type: 'marketing' }],
          ['createAccount', { name: t.unique('account'), type: null }],
          ['updateAccount', { name: null }],
          ['createDomain', { name: null, accounts: [account_id] }],
          ['createDomain', { name: domainName(t), accounts: null }],
          ['createSuppression', { account_id: null, recipient_email: t.address() }],
          ['createSuppression', { account_id, recipient_email: null }],
          ['login', { email: null, password: 'a password', grant_type: 'password' }],
          ['login', { email: t.tenant.email, password: null, grant_type: 'password' }],
        ];
        for (const [operation, body] of missing) {
          const answer = await t.call(operation, { path: { account_id }, body });
          const what = `${operation} with ${show(body)}`;
          requireStatus(t, 'conventions.required-null-422', answer, 422, what);
        }
      }),
  },
];

async function requireOptionalNulls(t: Tester, made: Made, account_id: string): Promise<void> {
  const requirement = 'conventions.optional-null-is-absent';
  const without = await made.domain();
  const withNull = await made.domain({ return_path_hostname: null }, requirement);
  const [absent, given] = [without, withNull].map(({ return_path_hostname: host }) => host);
  const message = `expected the hostname ${absent} for null as for none, got ${given}`;
  t.require(requirement, given === absent, message);
  const own = await made.domain({ return_path_hostname: 'bounces' });
  const change = { path: { domain_id: own.domain_id }, body: { accounts: [], return_path_hostname: null } };
  const { data: changed } = await t.ok('updateDomain', 200, change, requirement);
  const isKept = changed.return_path_hostname === 'bounces';
  t.require(requirement, isKept, `null changed the hostname to ${changed.return_path_hostname}`);
  const plain = await made.suppression({ account_id });
  const { reason } = await made.suppression({ account_id, reason: null }, requirement);
  const isAlike = reason === plain.reason;
  t.require(requirement, isAlike, `expected the reason ${show(plain.reason)} for null, got ${show(reason)}`);
}

async function oneMessage(t: Tester) {
  const [message_id = ''] = await accepted(t, [mail(t)]);
  return logged(t, message_id);
}
