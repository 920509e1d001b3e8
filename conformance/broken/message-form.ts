import { email } from './names.ts';
import type { World } from './state.ts';
import {
  flag,
  isObject,
  list,
  NUL,
  object,
  optional,
  problem,
  type Read,
  type Rule,
  required,
  text,
} from './validate.ts';

// The form of one message of a sending request.

const LONGEST_NAME = 255;
const LONGEST_SUBJECT = 998;
const LONGEST_URL = 2048;
const MOST_BYTES = 10 * 2 ** 20;
const MOST_REPLY_TO = 10;

interface Addressee {
  email: string;
  name: string | undefined;
}

function nullable<T>(world: World, rule: Rule<T>): Rule<T | undefined> {
  const whenAbsent = optional(rule);
  if (!world.has('sending.null-refused')) return whenAbsent;
  return (value, field) => (value === undefined ? { value: undefined } : rule(value, field));
}

function lineOf(world: World, max: number, min = 0): Rule<string> {
  if (world.has('sending.line-break-accepted')) return text({ min, max, forbidden: /(?!)/ });
  if (world.has('http.nul-accepted')) return text({ min, max, forbidden: /[\r\n]/ });
  return text({ min, max: world.has('sending.long-texts-accepted') ? 1_000_000 : max });
}

function addressee(world: World): Rule<Addressee> {
  const address: Rule<string> = world.has('sending.bad-address-accepted')
    ? text({ min: 1, max: 254 })
    : email;
  return object({ email: required(address), name: nullable(world, lineOf(world, LONGEST_NAME)) });
}

function recipients(world: World): Rule<Addressee[]> {
  const rule = list(addressee(world), Number.MAX_SAFE_INTEGER);
  return (value, field) => {
    if (Array.isArray(value) && value.length === 0) return problem(field, '', 'REQUIRED', 'is required');
    const reading = rule(value, field);
    if (!Array.isArray(value) || value.length === 1 || world.has('sending.several-recipients-accepted'))
      return reading;
    const others = 'problems' in reading ? reading.problems : [];
    const code = 'MULTIPLE_RECIPIENTS_NOT_SUPPORTED';
    return { problems: [...others, ...problem(field, '', code, 'only one recipient is supported').problems] };
  };
}

interface Content {
  html: string | undefined;
  text: string | undefined;
}
function content(world: World): Rule<Content> {
  const part = nullable(world, text({ max: MOST_BYTES, forbidden: NUL }));
  const rule = object({ html: part, text: part });
  return (value, field) => {
    const reading = rule(value, field);
    if ('problems' in reading) return reading;
    const { html = '', text = '' } = reading.value;
    if (html + text === '' && !world.has('sending.empty-body-accepted')) {
      return problem(field, '', 'REQUIRED', 'html or text is required');
    }
    const size = Buffer.byteLength(html) + Buffer.byteLength(text);
    return size > MOST_BYTES ? problem(field, '', 'MAX', `may have at most ${MOST_BYTES} bytes`) : reading;
  };
}

const listUnsubscribe: Rule<string> = (value, field) => {
  const isUrl =
    typeof value === 'string' &&
    value.length <= LONGEST_URL &&
    /^https?:\/\/[^\s<>]+$/i.test(value) &&
    URL.canParse(value);
  if (isUrl) return { value };
  return 'value' in email(value, field) && typeof value === 'string'
    ? { value }
    : problem(field, value, 'INVALID_LIST_UNSUBSCRIBE', 'must be an email address, or an http or https URL');
};

/** Entries without an address are as good as none. */
function replyTo(world: World): Rule<Addressee[]> {
  const entry = object({ email: nullable(world, email), name: nullable(world, lineOf(world, LONGEST_NAME)) });
  const rule = list(entry, MOST_REPLY_TO);
  return (value, field) => {
    const reading = rule(value, field);
    if ('problems' in reading) return reading;
    const named = reading.value.flatMap(({ email, name }) => (email === undefined ? [] : [{ email, name }]));
    return { value: named };
  };
}

function shapeOf(world: World) {
  return {
    from: required(addressee(world)),
    to: required(recipients(world)),
    subject: world.has('sending.subject-optional')
      ? (value: unknown, field: string) => lineOf(world, LONGEST_SUBJECT)(value ?? 'No subject', field)
      : required(lineOf(world, LONGEST_SUBJECT, 1)),
    body: required(content(world)),
    custom_id: nullable(world, lineOf(world, LONGEST_NAME)),
    custom_id_unique: nullable(world, flag),
    track_opens: nullable(world, flag),
    track_clicks: nullable(world, flag),
    list_id: nullable(world, lineOf(world, LONGEST_NAME)),
    list_unsubscribe: nullable(world, listUnsubscribe),
    reply_to: nullable(world, replyTo(world)),
  };
}

/** A message as it was submitted. */
export type Submission = Read<ReturnType<typeof shapeOf>>;

/** The rule for one message. */
export function submission(world: World): Rule<Submission> {
  return object(shapeOf(world));
}

/** The custom ID to answer with: what was given, if that can be one. */
export function customIdOf(value: unknown): string {
  const given = isObject(value) && Object.hasOwn(value, 'custom_id') ? Reflect.get(value, 'custom_id') : '';
  return typeof given === 'string' && [...given].length <= LONGEST_NAME ? given : '';
}
