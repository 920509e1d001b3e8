import type { Answer } from './call.ts';
import type { World } from './state.ts';
import { isObject, ownValue } from './validate.ts';

// Variants that show in any answer. What is varied stays as correct as it was.

const SLOW_SHARE = 0.1;
const SLOWEST_MS = 400;
const QUICKEST_MS = 200;
const TIMES = /_at$|^period_(?:from|to)$/;
const MICROSECONDS = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3})\d{3}\+00:00$/;
const CELLS = /(?<=,)(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3})\d{3}\+00:00(?=,)/g;

/** The answer as the variant has it, and how long it takes. */
export function vary(world: World, answer: Answer): { answer: Answer; delayMs: number } {
  const isSlow = world.varies('slow') && Math.random() < SLOW_SHARE;
  const delayMs = isSlow ? QUICKEST_MS + Math.random() * (SLOWEST_MS - QUICKEST_MS) : 0;
  const renamed = world.varies('malformed-id-409') ? malformedIs409(answer) : answer;
  const body = world.varies('more-error-codes') ? withMoreCodes(renamed.body) : renamed.body;
  return {
    answer: { ...renamed, headers: headersOf(world, renamed), body: variedJson(world, body) },
    delayMs,
  };
}

function headersOf(world: World, { headers = {}, status }: Answer): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => !world.varies('no-rate-limit-headers') || !name.startsWith('ratelimit'),
  );
  const charset =
    world.varies('charset') && status !== 204 ? { 'content-type': 'application/json; charset=utf-8' } : {};
  return { ...charset, ...Object.fromEntries(kept) };
}

/** A value of an answer or a notification as the variant writes it. */
export function variedJson(world: World, value: unknown): unknown {
  if (typeof value === 'string') return world.varies('z-timestamps') ? value.replaceAll(CELLS, '$1Z') : value;
  if (Array.isArray(value)) return value.map((one) => variedJson(world, one));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [
    name,
    world.varies('z-timestamps') && typeof one === 'string' && TIMES.test(name)
      ? one.replace(MICROSECONDS, '$1Z')
      : typeof one === 'object'
        ? variedJson(world, one)
        : one,
  ]);
  if (world.varies('extra-fields')) entries.push(['x_extra', { note: 'more than was asked for' }]);
  return Object.fromEntries(world.varies('reversed-keys') ? entries.toReversed() : entries);
}

const ENTITIES = [
  'account',
  'domain',
  'suppression',
  'message',
  'user',
  'api_key',
  'webhook',
  'notification',
];

/** A malformed id is none that exists. */
function malformedIs409(answer: Answer): Answer {
  const errors = ownValue(Object(ownValue(Object(answer.body), 'data')), 'errors');
  if (answer.status !== 422 || !Array.isArray(errors)) return answer;
  const fields = errors.map((one) =>
    JSON.stringify(one).includes('"UUID"') ? String(Reflect.get(one, 'field')) : '',
  );
  const entity = ENTITIES.find((name) => fields.every((field) => field.startsWith(name)));
  if (entity === undefined) return answer;
  const code = `${entity.toUpperCase()}_NOT_FOUND`;
  const data = { code, errors: [{ code, description: 'there is no such thing' }] };
  return { ...answer, status: 409, body: { data, meta: { rq_time: '0.0001s' } } };
}

/** Field errors with a code of the server's own beside the documented one. */
function withMoreCodes(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withMoreCodes);
  if (!isObject(body)) return body;
  const entries = Object.entries(body).map(([name, value]): [string, unknown] => [
    name,
    withMoreCodes(value),
  ]);
  const copy = Object.fromEntries(entries);
  const { errors } = copy;
  return 'field' in copy && Array.isArray(errors)
    ? { ...copy, errors: [...errors, { code: 'OWN_RULE_7', description: 'see our manual' }] }
    : copy;
}
