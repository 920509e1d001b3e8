import type { ErrorObject } from 'ajv/dist/2020.js';
import { FORMAT_NAMES } from './formats.ts';

/** One thing that is wrong with a value. */
export interface Explanation {
  /** JSON pointer to where it stands, or should stand. */
  pointer: string;
  /** What was expected and what stands there. */
  message: string;
  /** The keyword of the schema that refuses it. */
  keyword: string;
  /** What stands there, cut short, and without secrets. */
  stands: string;
}

/** What Ajv found, for people: of several alternatives only the one that was nearly met. */
export function explained(errors: readonly ErrorObject[]): Explanation[] {
  return nearest(errors)
    .filter(({ keyword }) => keyword !== 'if')
    .map((error) => {
      const pointer = pointerOf(error);
      const value = error.keyword === 'discriminator' ? error.params.tagValue : error.data;
      const stands = shown(value, placeOf(pointer));
      return { pointer, message: messageOf(error, placeOf(pointer), stands), keyword: error.keyword, stands };
    });
}

const SHOWN = 80;
const SECRET = /(?:password|token|api_key|secret)$/;

/** The pointer as people write it: `data.accounts[0].name`; "the body" for all of it. */
export function placeOf(pointer: string): string {
  const steps = pointer.split('/').slice(1).map(unescaped);
  if (steps.length === 0) return 'the body';
  return steps
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** The errors without those of alternatives that were clearly not meant. */
function nearest(errors: readonly ErrorObject[]): ErrorObject[] {
  const choice = errors.find(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  if (choice === undefined) return [...errors];
  const inside = errors.filter((error) => branchOf(error, choice) !== undefined);
  const branches = Map.groupBy(inside, (error) => branchOf(error, choice));
  const sizes = [...branches.values()].map((branch) => branch.length);
  const fewest = Math.min(...sizes);
  const best = [...branches.values()].filter((branch) => branch.length === fewest);
  const others = errors.filter((error) => error !== choice && !inside.includes(error));
  const [only = []] = best;
  // Several that failed alike: what they wanted is said together.
  return nearest([...others, ...(best.length === 1 ? only : [together(choice, best.flat())])]);
}

function branchOf(error: ErrorObject, choice: ErrorObject): string | undefined {
  const isInside =
    error.schemaPath.startsWith(`${choice.schemaPath}/`) &&
    (error.instancePath === choice.instancePath || error.instancePath.startsWith(`${choice.instancePath}/`));
  return isInside ? error.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0] : undefined;
}

function together(choice: ErrorObject, errors: readonly ErrorObject[]): ErrorObject {
  const wanted = new Set(errors.map(wantedBy));
  return { ...choice, keyword: 'alternatives', params: { wanted: [...wanted].join(', or ') } };
}

function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  if (keyword === 'required') return `${instancePath}/${escaped(String(params.missingProperty))}`;
  if (keyword === 'additionalProperties')
    return `${instancePath}/${escaped(String(params.additionalProperty))}`;
  if (keyword === 'unevaluatedProperties')
    return `${instancePath}/${escaped(String(params.unevaluatedProperty))}`;
  if (keyword === 'discriminator') return `${instancePath}/${escaped(String(params.tag))}`;
  return instancePath;
}

function messageOf(error: ErrorObject, place: string, stands: string): string {
  if (error.keyword === 'required') return `${place} is missing`;
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    return `${place} is not in the contract`;
  }
  return `${place} must be ${wantedBy(error)}, and is ${stands}`;
}

/** What would have been right, to stand after "must be". */
function wantedBy({ keyword, params, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return [params.type].flat().map(article).join(' or ');
    case 'enum':
      return `one of ${params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ')}`;
    case 'const':
      return JSON.stringify(params.allowedValue);
    case 'format':
      return FORMAT_NAMES[params.format] ?? params.format;
    case 'pattern':
      return `text that matches ${params.pattern}`;
    case 'minLength':
      return params.limit === 1 ? 'text that is not empty' : `text of ${params.limit} characters or more`;
    case 'maxLength':
      return `text of ${params.limit} characters at most`;
    case 'minimum':
      return `${params.limit} or more`;
    case 'maximum':
      return `${params.limit} at most`;
    case 'minItems':
      return `a list of ${params.limit} or more`;
    case 'maxItems':
      return params.limit === 0 ? 'an empty list' : `a list of ${params.limit} at most`;
    case 'discriminator':
      return `one of ${branchTags(parentSchema, params.tag).join(', ')}`;
    case 'alternatives':
      return params.wanted;
    default:
      return `as ${keyword} has it`;
  }
}

function branchTags(schema: unknown, tag: string): string[] {
  const branches: unknown = Reflect.get(Object(schema), 'oneOf');
  const consts = (Array.isArray(branches) ? branches : []).map((branch) => branch?.properties?.[tag]?.const);
  return consts.map((value) => JSON.stringify(value));
}

function article(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function shown(value: unknown, place: string): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string' && SECRET.test(place)) return `text of ${value.length} characters`;
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
