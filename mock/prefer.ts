import { ApiError, type FieldError } from '../server/domain/errors.ts';
import type { DocumentedAnswer, NamedExample } from './document.ts';

/** What a request asks the mock for; everything undefined when it asks for nothing. */
export interface Wish {
  answer: DocumentedAnswer | undefined;
  example: NamedExample | undefined;
  dynamic: boolean | undefined;
}

// What the contract lets a field error say.
const MOST_SHOWN = 255;
const MOST_DESCRIBED = 1000;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Reads the header Prefer (RFC 7240): `code=409`, `example=none`, `dynamic=true`; preferences of other names are ignored, as the RFC has it.
 * An example without a code is looked for from the lowest status on.
 * @throws ApiError VALIDATION_ERROR on the field `Prefer` that lists what there is.
 */
export function readWish(header: string, operation: string, answers: readonly DocumentedAnswer[]): Wish {
  const { code, example, dynamic } = preferencesIn(header);
  const faults: FieldError[] = [];
  const withCode = answers.filter(({ status }) => code === undefined || String(status) === code);
  if (withCode.length === 0)
    faults.push(fault('code', code, `a status of ${operation}: ${statuses(answers)}`));
  const found = withCode.find(({ examples }) => examples.some(({ name }) => name === example));
  if (example !== undefined && withCode.length > 0 && found === undefined) {
    faults.push(fault('example', example, `an example of ${operation}: ${names(withCode)}`));
  }
  if (dynamic !== undefined && !BOOLEANS.has(dynamic)) {
    faults.push(fault('dynamic', dynamic, 'true or false'));
  }
  if (faults.length > 0) throw new ApiError('VALIDATION_ERROR', 'the header Prefer is faulty', faults);
  return {
    answer: found ?? (code === undefined ? undefined : withCode[0]),
    example: found?.examples.find(({ name }) => name === example),
    dynamic: BOOLEANS.get(dynamic ?? ''),
  };
}

/** The first value that is given under each name; a name is compared without case, and a value may stand in quotes. */
function preferencesIn(header: string): Partial<Record<'code' | 'example' | 'dynamic', string>> {
  const given = new Map<string, string>();
  for (const preference of header.split(/[,;]/)) {
    const equals = preference.indexOf('=');
    const name = preference
      .slice(0, equals < 0 ? undefined : equals)
      .trim()
      .toLowerCase();
    const value = equals < 0 ? '' : unquoted(preference.slice(equals + 1).trim());
    if (!given.has(name)) given.set(name, value);
  }
  return Object.fromEntries(given);
}

function unquoted(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

function fault(name: string, value: string | undefined, wanted: string): FieldError {
  return {
    field: 'Prefer',
    value: `${name}=${value}`.slice(0, MOST_SHOWN).toWellFormed(),
    errors: [{ code: 'CHOICE', description: `must name ${wanted}`.slice(0, MOST_DESCRIBED) }],
  };
}

function statuses(answers: readonly DocumentedAnswer[]): string {
  return answers.map(({ status }) => status).join(', ');
}

function names(answers: readonly DocumentedAnswer[]): string {
  return answers
    .map(({ status, examples }) => `${status} ${examples.map(({ name }) => name).join(' ')}`)
    .join(', ');
}
