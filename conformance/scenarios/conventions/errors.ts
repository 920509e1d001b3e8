import { enums, type OperationId } from '../../../generated/operations.ts';
import { operationOf, unknownEndpoint } from '../../contract/document.ts';
import type { Schema } from '../../contract/schema.ts';
import { type Answer, codeOf, valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { domainName, unknownId, withMade } from '../support/made.ts';
import { password } from '../support/people.ts';
import { requireStatus } from '../support/refused.ts';

const CODE = /^[A-Z][A-Z0-9_]*$/;
const LONGEST_VALUE = 255;
const LONG = 'x'.repeat(2000);
/** A request in which something is wrong with a single field, and how the answer names it. */
interface Wrong {
  readonly operation: OperationId;
  readonly call: LooseCall;
  readonly field: string;
  /** undefined: there is no single value to show. */
  readonly value?: string | number | boolean;
}

function wrongFields(t: Tester, account_id: string): readonly Wrong[] {
  const name = t.unique('account');
  const recipient_email = t.address();
  const path = { account_id };
  const { email, password: secret } = t.tenant;
  return [
    { operation: 'createAccount', call: { body: { name, type: 'other' } }, field: 'type', value: 'other' },
    { operation: 'createAccount', call: { body: { name, type: LONG } }, field: 'type' },
    { operation: 'createAccount', call: { body: { name, type: { a: 1 } } }, field: 'type' },
    { operation: 'createAccount', call: { body: { type: 'marketing' } }, field: 'name', value: '' },
    { operation: 'updateAccount', call: { path, body: { name: ['a'] } }, field: 'name' },
    { operation: 'updateAccount', call: { path, body: {} }, field: 'name', value: '' },
    {
      operation: 'createDomain',
      call: { body: { name: 'no host', accounts: [] } },
      field: 'name',
      value: 'no host',
    },
    { operation: 'createDomain', call: { body: { name: domainName(t), accounts: 'a' } }, field: 'accounts' },
    { operation: 'createSuppression', call: { body: { account_id } }, field: 'recipient_email', value: '' },
    {
      operation: 'createSuppression',
      call: { body: { account_id, recipient_email: 'nobody' } },
      field: 'recipient_email',
      value: 'nobody',
    },
    {
      operation: 'createSuppression',
      call: { body: { account_id, recipient_email, reason: { because: 'of' } } },
      field: 'reason',
    },
    { operation: 'login', call: { body: { email, password: secret } }, field: 'grant_type', value: '' },
  ];
}

/** An error of each status, as far as it can be had without another organisation. */
async function failures(t: Tester, account_id: string, domain_id: string): Promise<readonly Answer[]> {
  const nobody = { kind: 'nobody' } as const;
  const calls: [OperationId, LooseCall, number][] = [
    ['createAccount', { rawBody: '{' }, 400],
    ['sendEmail', { rawBody: '[' }, 400],
    ['listAccounts', { as: nobody }, 401],
    ['sendEmail', { as: nobody, body: [] }, 401],
    ['login', { body: { email: t.address(), password: 'wrong', grant_type: 'password' } }, 401],
    ['getAccount', { path: { account_id: unknownId() } }, 409],
    ['deleteDomain', { path: { domain_id: unknownId() } }, 409],
    ['createSuppression', { body: { account_id: unknownId(), recipient_email: t.address() } }, 409],
    ['createAccount', { body: {} }, 422],
    ['createDomain', { body: {} }, 422],
    ['updateDomain', { path: { domain_id }, body: { accounts: 'none' } }, 422],
    ['createSuppression', { body: { account_id } }, 422],
    ['sendEmail', { body: {} }, 422],
    ['sendEmail', { body: [] }, 422],
    ['login', { body: {} }, 422],
    ['listAccounts', { query: { limit: 'many' } }, 422],
    ['listDomains', { query: { limit: 'many' } }, 422],
    ['listSuppressions', { query: { 'types[]': 'other' } }, 422],
    ['listMessages', { query: { period_from: 'yesterday' } }, 422],
    ['exportMessages', { query: { period_to: 'tomorrow' } }, 422],
    ['getStats', {}, 422],
  ];
  const answers: Answer[] = [];
  for (const [operation, call, status] of calls) {
    const answer = await t.call(operation, call);
    if (status === 422)
      requireStatus(t, 'http.validation-422', answer, 422, `${operation} with ${show(call)}`);
    if (answer.status === status) answers.push(answer);
  }
  return [...answers, await t.request('GET', `/v1/${t.unique('nothing')}`, { as: await t.login() })];
}

function requireEnvelope(t: Tester, answer: Answer): void {
  const requirement = 'http.error-envelope';
  const what = `${answer.operation ?? 'an unknown endpoint'}, ${answer.status}`;
  const [code, list, time] = ['data.code', 'data.errors', 'meta.rq_time'].map((at) =>
    valueAt(answer.json, at),
  );
  const isCode = typeof code === 'string' && CODE.test(code);
  t.require(
    requirement,
    isCode,
    `expected a code such as INVALID_JSON in data.code of ${what}, got ${show(code)}`,
    answer,
  );
  const isList = Array.isArray(list) && list.length > 0;
  t.require(requirement, isList, `expected a list in data.errors of ${what}, got ${show(list)}`, answer);
  t.require(
    requirement,
    typeof time === 'string',
    `expected meta.rq_time in ${what}, got ${show(time)}`,
    answer,
  );
}

function isDetail(entry: unknown): boolean {
  return ['code', 'description'].every((name) => typeof valueAt(entry, name) === 'string');
}

function isFieldError(entry: unknown): boolean {
  const nested = valueAt(entry, 'errors');
  return (
    typeof valueAt(entry, 'field') === 'string' &&
    ['string', 'number', 'boolean'].includes(typeof valueAt(entry, 'value')) &&
    Array.isArray(nested) &&
    nested.length > 0 &&
    nested.every(isDetail)
  );
}

function entriesOf(answer: Answer): readonly unknown[] {
  const entries = valueAt(answer.json, 'data.errors');
  return Array.isArray(entries) ? entries : [];
}

function requireEntries(t: Tester, answer: Answer): void {
  // A batch has no field: what is wrong with a message is said of that message.
  const isAboutFields = answer.status === 422 && answer.operation !== 'sendEmail';
  for (const entry of entriesOf(answer)) {
    const isRight = isAboutFields ? isFieldError(entry) : isDetail(entry);
    const form = isAboutFields ? 'field, value and errors' : 'code and description';
    const message = `expected ${form} in the errors of ${answer.operation}, ${answer.status}, got ${show(entry)}`;
    t.require('http.validation-error-shape', isRight, message, answer);
  }
}

/** The codes that the contract allows in a response. */
function codesIn({ properties, allOf = [] }: Schema): readonly unknown[] {
  const code = properties?.data?.properties?.code;
  const own = code?.const === undefined ? (code?.enum ?? []) : [code.const];
  // What several schemas say together is what the narrowest one says.
  const [narrowest = []] = allOf
    .map(codesIn)
    .filter((codes) => codes.length > 0)
    .sort((one, other) => one.length - other.length);
  return own.length > 0 ? own : narrowest;
}

function requireFittingCode(t: Tester, answer: Answer): void {
  const { operation, status } = answer;
  const responses = operation === undefined ? unknownEndpoint : operationOf(operation).responses;
  const [content] = responses.get(status)?.contents ?? [];
  const wanted = codesIn(content?.schema ?? {});
  const is = codeOf(answer);
  // A server may have codes of its own.
  const isKnown = enums.ErrorCode.some((known) => known === is);
  t.require(
    'http.error-code-belongs-to-status',
    !isKnown || wanted.includes(is),
    `expected ${wanted.join(' or ')} in the ${status} of ${operation ?? 'an unknown endpoint'}, got ${is}`,
    answer,
  );
}

async function requireNamed(t: Tester, { operation, call, field, value }: Wrong): Promise<void> {
  const requirement = 'http.field-is-a-path';
  const answer = await t.call(operation, call);
  requireStatus(t, 'http.validation-422', answer, 422, `${operation} with a wrong ${field}`);
  const entry = entriesOf(answer).find((one) => valueAt(one, 'field') === field);
  const isNamed = entry !== undefined;
  t.require(requirement, isNamed, `expected the field ${field} in the errors of ${operation}`, answer);
  const is = valueAt(entry, 'value');
  const isShort = String(is).length <= LONGEST_VALUE;
  t.require(requirement, isShort, `expected at most ${LONGEST_VALUE} characters of ${field}`, answer);
  const isRight = value === undefined || is === value;
  t.require(requirement, isRight, `expected the value ${show(value)} of ${field}, got ${show(is)}`, answer);
}

/** What errors look like. */
export const errors: readonly Check[] = [
  {
    id: 'conventions/error-envelope',
    title: 'Errors have the envelope of a success, a code that fits their status, and name what is wrong',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const { domain_id } = await made.domain();
        for (const answer of await failures(t, account_id, domain_id)) {
          requireEnvelope(t, answer);
          requireEntries(t, answer);
          requireFittingCode(t, answer);
        }
        for (const wrong of wrongFields(t, account_id)) await requireNamed(t, wrong);
      }),
  },
  {
    id: 'conventions/password-never-echoed',
    title: 'An answer to a login never holds the password, whatever is wrong with the request',
    async run(t) {
      const email = t.address('nobody');
      const secret = `${password(t)}-7219`;
      t.hide(secret);
      const bodies = [
        { email, password: secret, grant_type: 'other' },
        { email, password: secret },
        { email: 'no address', password: secret, grant_type: 'password' },
        { email, password: [secret], grant_type: 'password' },
        { email, password: { text: secret }, grant_type: 'password' },
        { email, password: secret.repeat(100), grant_type: 'password' },
        { email, password: 7_219_340_118, grant_type: 'password' },
        { email, password: secret, grant_type: 'password' },
      ];
      for (const body of bodies) {
        const answer = await t.call('login', { body });
        const isEchoed = answer.text.includes(secret) || answer.text.includes('7219340118');
        t.require('http.password-never-echoed', !isEchoed, 'the password stands in the answer', answer);
      }
    },
  },
];
