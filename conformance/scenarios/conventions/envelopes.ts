import type { OperationId } from '../../../generated/operations.ts';
import { operationOf } from '../../contract/document.ts';
import type { Schema } from '../../contract/schema.ts';
import { type Answer, textAt, valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import { show } from '../support/compare.ts';
import { logged } from '../support/log.ts';
import { domainName, type Made, withMade } from '../support/made.ts';
import { requireStatus } from '../support/refused.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/i;
const RQ_TIME = /^\d+(?:\.\d+)?\s?s$/;
const LONG_AGO = { period_from: '2001-01-01', period_to: '2001-01-01' };

/** Every field of a JSON value by its name, at any depth. */
function fieldsOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  const own: [string, unknown][] = Array.isArray(value) ? [] : Object.entries(value);
  return [...own, ...Object.values(value).flatMap(fieldsOf)];
}

/** The names under which the contract has values of a format; a server may have fields of its own beside them. */
function namesOf(format: string, schema: Schema): string[] {
  const { properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = schema;
  const parts = [
    ...Object.values(properties),
    ...(items === undefined ? [] : [items]),
    ...allOf,
    ...anyOf,
    ...oneOf,
  ];
  const own = Object.entries(properties).flatMap(([name, property]) =>
    property.format === format ? [name] : [],
  );
  return [...own, ...parts.flatMap((part) => namesOf(format, part))];
}

/** The fields of the answer that the contract gives a format, as far as they hold something. */
function formatted(answer: Answer, format: string): [string, unknown][] {
  if (answer.operation === undefined) return [];
  const [content] = operationOf(answer.operation).responses.get(answer.status)?.contents ?? [];
  const names = namesOf(format, content?.schema ?? {});
  // A manual suppression has an empty message_id, in whichever way.
  return fieldsOf(answer.json).filter(
    ([name, value]) => names.includes(name) && value !== null && value !== '',
  );
}

/** The fields that name something or say when, in the forms that the description gives them. */
function requireForms(t: Tester, answer: Answer): void {
  for (const [name, value] of formatted(answer, 'uuid'))
    t.require(
      'conventions.identifiers-are-uuids',
      typeof value === 'string' && UUID.test(value),
      `expected ${name} of ${answer.operation} to be a UUID, got ${show(value)}`,
      answer,
    );
  for (const [name, value] of formatted(answer, 'date-time')) {
    t.require(
      'conventions.timestamps-have-an-offset',
      typeof value === 'string' && TIMESTAMP.test(value),
      `expected ${name} of ${answer.operation} to be ISO 8601 with an offset, got ${show(value)}`,
      answer,
    );
    t.inform('conventions.offset-of-timestamps', `timestamps are written ${formOf(String(value))}`);
  }
}

function formOf(timestamp: string): string {
  const [, fraction = '', offset] = /(?:\.(\d+))?(z|[+-][\d:]+)$/i.exec(timestamp) ?? [];
  return `with ${fraction.length} digits after the second and the offset ${offset}`;
}

function requireObject(t: Tester, answer: Answer): void {
  const requirement = 'conventions.single-object-envelope';
  const data = valueAt(answer.json, 'data');
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  const { operation } = answer;
  t.require(requirement, isObject, `expected an object in "data" of ${operation}, got ${show(data)}`, answer);
  requireTime(t, requirement, answer);
}

function requireTime(t: Tester, requirement: string, answer: Answer): void {
  const time = valueAt(answer.json, 'meta.rq_time');
  t.require(
    requirement,
    typeof time === 'string' && RQ_TIME.test(time),
    `expected seconds such as "0.0042s" in meta.rq_time of ${answer.operation}, got ${show(time)}`,
    answer,
  );
}

/** Creates one of each, has each answer looked at, and returns the ids as a path. */
async function created(
  t: Tester,
  made: Made,
  look: (answer: Answer) => void,
): Promise<Record<string, string>> {
  const create = async (operation: OperationId, key: string, body: object): Promise<string> => {
    const answer = await t.call(operation, { body });
    look(answer);
    const id = textAt(answer.json, `data.${key}`);
    if (id === '') throw new SetupFailed(`${operation} was answered ${answer.status} without ${key}`);
    return id;
  };
  const account = { name: t.unique('account'), type: 'marketing' };
  const account_id = await create('createAccount', 'account_id', account);
  made.adoptAccount(account_id);
  const domain = { name: domainName(t), accounts: [account_id] };
  const domain_id = await create('createDomain', 'domain_id', domain);
  made.adoptDomain(domain_id);
  const suppression = { account_id, recipient_email: t.address() };
  const suppression_id = await create('createSuppression', 'suppression_id', suppression);
  made.adoptSuppression(suppression_id);
  const [message_id = ''] = await accepted(t, [mail(t)]);
  await logged(t, message_id);
  return { account_id, domain_id, suppression_id, message_id };
}

/** What successful answers look like. */
export const envelopes: readonly Check[] = [
  {
    id: 'conventions/single-object-envelope',
    title: 'What is created is 201, every other success 200, and a single object stands in "data"',
    run: (t) =>
      withMade(t, async (made) => {
        const path = await created(t, made, (answer) => {
          requireStatus(t, 'http.created-201', answer, 201);
          requireObject(t, answer);
        });
        const single: [OperationId, LooseCall][] = [
          ['getAccount', {}],
          ['getDomain', {}],
          ['getSuppression', {}],
          ['getMessage', {}],
          ['updateAccount', { body: { name: t.unique('renamed') } }],
          ['updateDomain', { body: { accounts: [] } }],
          ['getStats', { query: LONG_AGO }],
          ['deleteSuppression', {}],
          ['deleteDomain', {}],
          ['deleteAccount', {}],
        ];
        for (const [operation, call] of single) {
          const answer = await t.call(operation, { path, ...call });
          requireStatus(t, 'http.success-200', answer, 200);
          requireObject(t, answer);
        }
        const as = await t.login();
        const { email, password } = t.tenant;
        const others: [OperationId, LooseCall][] = [
          ['listAccounts', {}],
          ['listDomains', {}],
          ['listSuppressions', { query: LONG_AGO }],
          ['listMessages', { query: LONG_AGO }],
          ['listMessageEvents', { path }],
          ['exportMessages', { query: LONG_AGO }],
          ['login', { body: { email, password, grant_type: 'password' }, as: { kind: 'nobody' } }],
          ['logout', {}],
        ];
        for (const [operation, call] of others)
          requireStatus(t, 'http.success-200', await t.call(operation, { as, ...call }), 200);
      }),
  },
  {
    id: 'conventions/list-envelope',
    title: 'A list stands in "data", and "meta" says limit, offset, total and the time',
    async run(t) {
      const requirement = 'conventions.list-envelope';
      const [message_id = ''] = await accepted(t, [mail(t)]);
      await logged(t, message_id);
      const lists: [OperationId, LooseCall['query']][] = [
        ['listAccounts', {}],
        ['listDomains', {}],
        ['listSuppressions', {}],
        ['listMessages', LONG_AGO],
        ['listMessageEvents', {}],
      ];
      for (const [operation, query] of lists) {
        const answer = await t.call(operation, {
          path: { message_id },
          query: { ...query, limit: 7, offset: 1 },
        });
        requireStatus(t, requirement, answer, 200);
        const data = valueAt(answer.json, 'data');
        t.require(requirement, Array.isArray(data), `expected a list in "data" of ${operation}`, answer);
        for (const [name, expected] of Object.entries({ limit: 7, offset: 1 })) {
          const is = valueAt(answer.json, `meta.${name}`);
          const message = `expected ${expected} in meta.${name} of ${operation}, got ${show(is)}`;
          t.require(requirement, is === expected, message, answer);
        }
        const total = valueAt(answer.json, 'meta.total');
        const message = `expected a number in meta.total of ${operation}, got ${show(total)}`;
        t.require(requirement, Number.isInteger(total), message, answer);
        requireTime(t, requirement, answer);
      }
    },
  },
  {
    id: 'conventions/timestamps-and-identifiers',
    title: 'Identifiers are UUIDs, and timestamps are ISO 8601 with an offset',
    run: (t) =>
      withMade(t, async (made) => {
        const path = await created(t, made, (answer) => requireForms(t, answer));
        const mails = [mail(t, { custom_id: t.unique('order') })];
        requireForms(t, await t.call('sendEmail', { body: mails }));
        const reads: [OperationId, LooseCall][] = [
          ['getAccount', {}],
          ['getDomain', {}],
          ['getDomain', { path: { domain_id: t.tenant.domainId } }],
          ['getSuppression', {}],
          ['getMessage', {}],
          ['listMessageEvents', {}],
          ['listSuppressions', {}],
          ['listMessages', {}],
        ];
        for (const [operation, call] of reads) requireForms(t, await t.call(operation, { path, ...call }));
      }),
  },
];
