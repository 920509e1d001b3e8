import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ContractDocument,
  follow,
  type Operation,
  operationsOf,
  type Parameter,
  type Schema,
} from './contract/document.ts';
import { bodiesWithUnknownFields, hostileBodies, nested } from './testing/hostile-bodies.ts';
import { type Answer, startApi, type TestApi, type TestTenant } from './testing.ts';

// Every operation of the contract meets every kind of bad input, made from the contract itself. The kit holds each answer against
// the contract: no undocumented status, no envelope of another kind. What is asked here is more than that: no 500, the fault
// named, nothing written, and a service that is still there afterwards.

interface Target {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** The schema of its body and an example of one; absent when it takes none. */
  body: { schema: Schema; example: unknown } | undefined;
}

const document: ContractDocument = JSON.parse(
  readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8'),
);
// A second opinion on what is valid, apart from formats, which the service has of its own.
const judge = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
judge.addSchema({ ...document }, 'contract');

const targets = [...operationsOf(document)].map(({ method, path, operation, parameters }): Target => {
  const body = bodyOf(operation.value);
  return {
    id: operation.value.operationId,
    method,
    path,
    parameters: parameters.map(({ value }) => value),
    body,
  };
});
const withBody = targets.flatMap((target) =>
  target.body === undefined ? [] : [{ ...target, body: target.body }],
);
const withoutBody = targets.filter(({ body }) => body === undefined);
/** They end the session, or the objects that the other requests need. */
const ENDING = new Set(['logout']);

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant();
});
afterAll(() => api.close());
afterEach(async () => {
  expect(api.takeFaults()).toEqual([]);
  expect((await tenant.call('GET', '/v1/accounts')).status).toBe(200);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

/** Operations that need no field. */
const CHANGES_OF_NOTHING: ReadonlySet<string> = new Set(['updateUser', 'updateWebhook']);

describe.each(withBody)('the body of $id', (target) => {
  const { body } = target;
  const valid = () => JSON.stringify(body.example);

  it('that is no JSON is INVALID_JSON', async () => {
    const bodies: (string | Buffer)[] = [
      '',
      ' \r\n',
      valid().slice(0, -1),
      `${valid()},`,
      valid() + valid(),
      valid().replace('"', "'"),
      '{"a":1,}',
      '[NaN]',
      '[01]',
      '[1e]',
      '["\\x"]',
      '["\\ud800"]',
      '["a\nb"]',
      '{"a":"\\udfff"}',
      'undefined',
      '\0',
      `// comment\n${valid()}`,
      '['.repeat(100_000),
      '{"a":'.repeat(100_000),
      Buffer.from(valid(), 'utf16le'),
      Buffer.concat([Buffer.from('["'), Buffer.from([0xff, 0xfe]), Buffer.from('"]')]),
      Buffer.concat([Buffer.from('["'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"]')]),
    ];
    for (const rawBody of bodies) {
      const answer = await send(target, rawBody);
      expect([answer.status, answer.code], String(rawBody).slice(0, 60)).toEqual([400, 'INVALID_JSON']);
    }
  });

  it('of another kind altogether is refused, however deep or large', async () => {
    const bodies = [
      'null',
      'false',
      '5',
      '1e400',
      '"text"',
      nested(100_000),
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      `[${'{},'.repeat(2000)}{}]`,
      `"${'x'.repeat(1_000_000)}"`,
      `{"__proto__":${valid()}}`,
    ];
    for (const rawBody of bodies) {
      const answer = await send(target, rawBody);
      // An object without fields is a change of nothing to what does not exist.
      const nothing = CHANGES_OF_NOTHING.has(target.id) && answer.status === 409;
      if (!nothing && !isRejectedBatch(answer)) expect(answer.status, rawBody.slice(0, 60)).toBe(422);
    }
  });

  it('with anything strange in any field is judged as the contract says, the field named, and leaves nothing behind', async () => {
    const validate = judge.compile({ $ref: `contract#${pointerOf(target)}` });
    const before = await tableSizes();
    let refused = 0;
    for (const { field, text } of hostileBodies(body.schema, body.example, resolve)) {
      if (validate(JSON.parse(text))) continue;
      const answer = await send(target, text);
      const what = `${field} in ${text.slice(0, 200)}`;
      if (!isRejectedBatch(answer)) expect([answer.status, what]).toEqual([422, what]);
      expect(
        fieldsIn(answer).some((named) => isRelated(named, field)),
        `${what}: ${answer.text}`,
      ).toBe(true);
      refused += 1;
    }
    expect(refused).toBeGreaterThan(10);
    expect(await tableSizes()).toEqual(before);
  });

  it('with strange values that the contract allows is answered like any other', async () => {
    const validate = judge.compile({ $ref: `contract#${pointerOf(target)}` });
    for (const { text } of hostileBodies(body.schema, body.example, resolve)) {
      if (validate(JSON.parse(text))) expect((await send(target, text)).status).toBeLessThan(500);
    }
  });

  it('may hold fields that nobody knows, twice the same field, and a byte order mark', async () => {
    const { status } = await send(target, valid());
    const deep = nested(100_000);
    const same = async (text: string) =>
      expect([(await send(target, text)).status, text.slice(0, 80)]).toEqual([
        fresh(target, status),
        text.slice(0, 80),
      ]);
    for (const text of bodiesWithUnknownFields(body.example, '{"__proto__":{"polluted":true}}'))
      await same(text);
    for (const text of [...bodiesWithUnknownFields(body.example, deep)].slice(0, 2)) await same(text);
    await same(`\ufeff${valid()}`);
    // The last one counts, as everywhere in JavaScript.
    const first = /"(\w+)":/.exec(valid())?.[0] ?? '';
    await same(valid().replace('{', () => `{${first}[[]],`));
  });
});

describe.each(withoutBody.filter(({ id }) => !ENDING.has(id)))('$id', (target) => {
  it('takes no notice of a body', async () => {
    for (const rawBody of ['{', '\0', nested(1000), Buffer.from([0xff])]) {
      expect([400, 500]).not.toContain((await send(target, rawBody)).status);
    }
  });
});

describe.each(targets.filter(({ parameters }) => parameters.some(({ in: place }) => place === 'path')))(
  'the path of $id',
  (target) => {
    const strange = [
      'x',
      '%00',
      '%0d%0a',
      '%ff',
      '%ed%a0%80',
      '..%2f..%2fetc',
      '%2e%2e%2f',
      '__proto__',
      '%F0%9F%98%80',
    ];
    const nearly = [
      '0'.repeat(36),
      `{${randomUUID()}}`,
      `urn:uuid:${randomUUID()}`,
      `${randomUUID()}%0a`,
      randomUUID().slice(1),
    ];

    it('with a malformed id is 422', async () => {
      for (const id of [...strange, ...nearly, 'x'.repeat(5000)]) {
        const answer = await send(target, bodyText(target), pathOf(target, id));
        expect([id, answer.status, answer.code]).toEqual([id, 422, 'VALIDATION_ERROR']);
      }
    });

    it('takes a UUID in any case', async () => {
      const answer = await send(target, bodyText(target), pathOf(target, randomUUID().toUpperCase()));
      expect(answer.status).toBe(409);
    });
  },
);

describe.each(targets.filter(({ parameters }) => parameters.some(({ in: place }) => place === 'query')))(
  'the query of $id',
  (target) => {
    const texts = [
      '',
      '%00',
      '%ff',
      '%ed%a0%80',
      '%',
      '1e400',
      '-1',
      '99999999999999999999',
      '0x10',
      'NaN',
      'null',
      '[]',
    ];
    const more = [
      '0000-01-01',
      '0000-12-31T23:59:59Z',
      '9999-12-31',
      '9999-12-31T23:59:59-23:59',
      'a%0d%0aX-Injected:1',
      "'%20or%201=1--",
      '%25_%5c',
      '__proto__',
      '%F0%9F%98%80',
      'x'.repeat(9000),
    ];
    const required = () =>
      target.parameters
        .filter((one) => one.required && one.in === 'query')
        .map(({ name }) => `${name}=2026-03-01&`);

    it('with anything strange in any parameter is 422 or a search that finds nothing', async () => {
      for (const { name } of target.parameters.filter(({ in: place }) => place === 'query')) {
        for (const text of [...texts, ...more]) {
          const others = required().filter((pair) => !pair.startsWith(`${name}=`));
          const answer = await send(target, undefined, `${pathOf(target)}?${others.join('')}${name}=${text}`);
          const missing = target.path.includes('{') && answer.status === 409;
          if (!missing) expect([200, 422], `${name}=${text}: ${answer.text}`).toContain(answer.status);
          if (/^(?:%00|%ff|%ed%a0%80|%)$/.test(text)) expect(answer.status, `${name}=${text}`).toBe(422);
        }
        const name_ = encodeURIComponent(name);
        const [once, twice] = [`${name_}=1`, `${name_}=1&${name_}=1`];
        expect((await send(target, undefined, `${pathOf(target)}?${once}`)).status).toBeLessThan(500);
        expect((await send(target, undefined, `${pathOf(target)}?${twice}`)).status).toBe(422);
      }
    });

    it('may hold parameters that nobody knows, and pairs that are none', async () => {
      const plain = await send(target, undefined, `${pathOf(target)}?${required().join('')}`);
      for (const query of [
        '__proto__=1',
        'constructor[x]=1',
        'toString',
        '=',
        '&&&',
        '%ff=1',
        'limit[]=5',
        '?',
      ]) {
        const answer = await send(target, undefined, `${pathOf(target)}?${required().join('')}${query}`);
        expect([query, answer.status]).toEqual([query, plain.status]);
      }
    });
  },
);

function bodyOf({ requestBody }: Operation): Target['body'] {
  const media = requestBody?.content?.['application/json'];
  if (media?.schema === undefined) return undefined;
  const { examples = {} } = media as { examples?: Record<string, { value: unknown }> };
  return { schema: media.schema, example: Object.values(examples)[0]?.value };
}

function bodyText({ body }: Target): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body.example);
}

function pointerOf({ method, path }: Target): string {
  const escaped = encodeURI(path.replaceAll('/', '~1'));
  return `/paths/${escaped}/${method.toLowerCase()}/requestBody/content/application~1json/schema`;
}

function resolve(schema: Schema): Schema {
  return follow(document, { value: schema, pointer: '' }).value;
}

/** The path with an id that nobody has, so that nothing is changed by what turns out to be right. */
function pathOf({ path }: Target, id: string = randomUUID()): string {
  return path.replaceAll(/\{\w+\}/g, () => id);
}

async function send(
  target: Target,
  rawBody: string | Buffer | undefined,
  path = pathOf(target),
): Promise<Answer> {
  const { token } = tenant.owner;
  const credentials = target.path === '/v1/send_email' ? { basic: tenant.account } : { token };
  return api.call(target.method, path, { ...credentials, rawBody });
}

/** What a request that succeeded once answers when it comes again: some objects can be created only once. */
function fresh({ id }: Target, status: number): number {
  return status === 201 && (id === 'register' || id === 'createUser') ? 409 : status;
}

/** A batch is answered item by item; one of nothing but bad messages has nothing but rejections. */
function isRejectedBatch({ status, data }: Answer): boolean {
  return status === 207 && (data as { status: string }[]).every((item) => item.status === 'rejected');
}

/** The fields that an answer names, those of a batch's items with their place. */
function fieldsIn({ status, data, errors }: Answer): string[] {
  type Faults = { field?: string }[];
  if (status !== 207) return (errors as Faults).map(({ field = '' }) => field);
  return (data as { errors: Faults }[]).flatMap((item, index) =>
    item.errors.map(({ field = '' }) => (field === '' ? `[${index}]` : `[${index}].${field}`)),
  );
}

/** Whether two fields are the same, or one is part of the other. */
function isRelated(one: string, other: string): boolean {
  const within = (inner: string, outer: string) =>
    outer === '' || inner === outer || (/^[.[]/.test(inner.slice(outer.length)) && inner.startsWith(outer));
  return within(one, other) || within(other, one);
}

async function tableSizes(): Promise<unknown> {
  const { rows } = await sql`
    select (select count(*) from organisations) as organisations, (select count(*) from users) as users,
      (select count(*) from accounts) as accounts, (select count(*) from api_keys) as keys,
      (select count(*) from domains) as domains, (select count(*) from suppressions) as suppressions,
      (select count(*) from messages) as messages, (select count(*) from password_resets) as resets
  `.execute(api.database.db);
  return rows;
}
