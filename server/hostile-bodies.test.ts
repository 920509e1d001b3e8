import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { follow, type Schema } from './contract/document.ts';
import { bodiesWithUnknownFields, hostileBodies, nested } from './testing/hostile-bodies.ts';
import { AttackedService, document, type Target, targets } from './testing/hostile-requests.ts';
import type { Answer } from './testing.ts';

// A second opinion on what is valid, apart from formats, which the service has of its own.
const judge = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
judge.addSchema({ ...document }, 'contract');

const withBody = targets.flatMap((target) =>
  target.body === undefined ? [] : [{ ...target, body: target.body }],
);
const withoutBody = targets.filter(({ body }) => body === undefined);
/** They end the session, or the objects that the other requests need. */
const ENDING = new Set(['logout']);

let service: AttackedService;

beforeAll(async () => {
  service = await AttackedService.start();
});
afterAll(() => service.api.close());
afterEach(() => service.expectUnharmed());

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
      const answer = await service.send(target, rawBody);
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
      const answer = await service.send(target, rawBody);
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
      const answer = await service.send(target, text);
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
      if (validate(JSON.parse(text))) expect((await service.send(target, text)).status).toBeLessThan(500);
    }
  });

  it('may hold fields that nobody knows, twice the same field, and a byte order mark', async () => {
    const { status } = await service.send(target, valid());
    const deep = nested(100_000);
    const same = async (text: string) =>
      expect([(await service.send(target, text)).status, text.slice(0, 80)]).toEqual([
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
      expect([400, 500]).not.toContain((await service.send(target, rawBody)).status);
    }
  });
});

function pointerOf({ method, path }: Target): string {
  const escaped = encodeURI(path.replaceAll('/', '~1'));
  return `/paths/${escaped}/${method.toLowerCase()}/requestBody/content/application~1json/schema`;
}

function resolve(schema: Schema): Schema {
  return follow(document, { value: schema, pointer: '' }).value;
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
  `.execute(service.api.database.db);
  return rows;
}
