import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OperationId, operations } from '../contract/document.ts';
import { byteMutations } from './byte-faults.ts';
import { describeFault, type Mutation } from './fault.ts';
import { invalidRequests, mutationsOf } from './mutations.ts';
import { validRequests } from './requests.ts';
import { refusedParts } from './validity.ts';

const RUNS = { seed: 1, numRuns: 60 };

const requestsOf = ({ operation, requests }: Mutation) => fc.sample(requests(validRequests(operation)), RUNS);
const named = (mutations: readonly Mutation[]) =>
  mutations.map((mutation) => [mutation.operation, describeFault(mutation.fault), mutation] as const);
const all = operations.flatMap(({ id }) => [...mutationsOf(id), ...byteMutations(id)]);
const refusals = all.filter(({ verdict }) => verdict.kind !== 'survived');

test.each(operations.map(({ id }) => id))('valid requests to %s are what the contract takes', (id) => {
  for (const request of fc.sample(validRequests(id), RUNS))
    expect([request, refusedParts(id, request)]).toEqual([request, []]);
});

test.each(named(refusals))(
  '%s, %s: the contract refuses it, and nothing else of the request',
  (_id, _fault, mutation) => {
    const { where, at } = mutation.fault;
    const place = where === 'body' ? 'body' : `${where} ${at}`;
    for (const request of requestsOf(mutation)) {
      expect([request, refusedParts(mutation.operation, request)]).toEqual([request, [place]]);
    }
  },
);

test('every fault has a name of its own', () => {
  const names = all.map(({ operation, fault }) => `${operation} ${describeFault(fault)}`);
  expect(new Set(names).size).toBe(names.length);
});

describe('labels', () => {
  const of = (id: OperationId) =>
    Object.fromEntries(mutationsOf(id).map(({ fault, verdict }) => [describeFault(fault), verdict]));
  const refused = (...statuses: number[]) => ({ kind: 'refused', statuses });

  test('are verdicts that the description leaves room for', () => {
    expect(of('createSuppression')).toMatchObject({
      'body account_id: malformed id': refused(422, 409),
      'body account_id: missing': refused(422),
      'body recipient_email: malformed address': refused(422),
      'body: a list': refused(422),
      'body: a single value': refused(422, 400),
      'body reason: NUL': { kind: 'survived' },
    });
    expect(of('getAccount')).toEqual({ 'path account_id: malformed id': refused(422, 409) });
  });

  test('reject a message, not the batch', () => {
    const faults = of('sendEmail');
    const {
      'body: an object': whole,
      'body: no items': none,
      'body: a single value': scalar,
      ...messages
    } = faults;
    expect([whole, none, scalar]).toEqual([refused(422), refused(422), refused(422, 400)]);
    expect(messages).toMatchObject({
      'body [].to[].email: line break': { kind: 'item_rejected' },
      'body [].to: two items': { kind: 'item_rejected' },
      'body [].body: nothing in it': { kind: 'item_rejected' },
    });
    for (const verdict of Object.values(messages)) expect(verdict.kind).not.toBe('refused');
  });

  test('name what is wrong with parameters', () => {
    expect(Object.keys(of('listMessages'))).toEqual(
      expect.arrayContaining([
        'query limit: 0',
        'query limit: not an integer',
        'query offset: negative',
        'query limit: given twice',
        'query events[]: unknown value',
        'query account_ids[]: malformed id',
        'query period_from: malformed timestamp',
        'query period_from: timestamp without an offset',
      ]),
    );
    expect(Object.keys(of('getStats'))).toContain('query period_to: missing');
  });

  test('leave alone what the description is silent about, or only an extension has', () => {
    const texts = JSON.stringify(
      all.flatMap((mutation) => requestsOf(mutation)).map(({ query, body }) => ({ query, body })),
    );
    expect(texts).not.toContain('"limit":"1001"');
    expect(/"(?:name|subject|custom_id)":"[^"\\]{200}/.test(texts)).toBe(false);
    expect(Object.keys(of('updateAccount')).filter((name) => name.includes('status'))).toEqual([]);
  });
});

test('broken requests shrink to little more than their fault', () => {
  const details = fc.check(
    fc.property(invalidRequests('sendEmail'), ({ fault }) => fault.at !== '[].reply_to[].name'),
    { seed: 3, numRuns: 10_000 },
  );
  const [request] = details.counterexample ?? [];
  expect(JSON.stringify(request?.body).length).toBeLessThan(200);
  expect(request?.body).toMatchObject([{ subject: 'a', from: { email: 'a@aa.test' } }]);
});

test('the same seed gives the same broken requests', () => {
  const sample = () => fc.sample(invalidRequests('createDomain'), RUNS);
  expect(sample()).toEqual(sample());
});

test('JSON that must merely be survived is mostly JSON', () => {
  const strange = byteMutations('createAccount').filter(({ verdict }) => verdict.kind === 'survived');
  const kinds = strange.filter((mutation) =>
    requestsOf(mutation).every((request) => refusedParts('createAccount', request).length === 0),
  );
  expect(kinds.map(({ fault }) => fault.kind)).toEqual(
    expect.arrayContaining([
      'deep nesting',
      'the same keys twice',
      'a __proto__ key',
      'NUL in an unknown field',
    ]),
  );
});
