import type { FieldError } from '../domain/errors.ts';
import { describeFault, fieldCodeOf } from './fault-codes.ts';
import { type Fault, hintsOf } from './validators.ts';

const MAX_FIELDS = 100;
const MAX_VALUE = 255;
const LENGTHS = new Set(['minLength', 'maxLength']);

/**
 * The faults that a validator collected, as the field errors of the contract: grouped by field, one entry a code, at most 100 fields.
 * The validator must have been compiled with `allErrors` and `verbose`.
 */
export function toFieldErrors(faults: readonly Fault[], seed: readonly FieldError[] = []): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const { field, value, errors } of seed) {
    for (const error of errors) add(byField, field, value, error);
  }
  for (const fault of withoutNoise(faults)) {
    const error = { code: fieldCodeOf(fault), description: describeFault(fault) };
    add(byField, fieldOf(fault), sentValue(fault), error);
    if (byField.size > MAX_FIELDS) break;
  }
  return [...byField.values()].slice(0, MAX_FIELDS);
}

/** A value as it may stand in a field error: a scalar, cut at 255 characters; everything else is "". */
export function cutValue(value: unknown): FieldError['value'] {
  if (typeof value === 'string') return value.slice(0, MAX_VALUE).toWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return typeof value === 'boolean' ? value : '';
}

function add(
  byField: Map<string, FieldError>,
  field: string,
  value: FieldError['value'],
  error: FieldError['errors'][number],
): void {
  const known = byField.get(field);
  if (known === undefined) byField.set(field, { field, value, errors: [error] });
  else if (!known.errors.some(({ code }) => code === error.code)) known.errors.push(error);
}

/** `/to/0/email` gives `to[0].email`; what is missing is named below the object that lacks it. */
function fieldOf(fault: Fault): string {
  const steps = fault.instancePath.split('/').slice(1).map(unescapeStep);
  if (fault.keyword === 'required') steps.push(String(fault.params.missingProperty));
  return steps.reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path.endsWith('[]') ? path.slice(0, -2) : path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function sentValue(fault: Fault): FieldError['value'] {
  if (fault.keyword === 'required' || hintsOf(fault).secret) return '';
  return cutValue(fault.data);
}

/** Leaves the faults that say something: one for a choice of schemas, none that only follows from a wrong type or a wrong format. */
function withoutNoise(faults: readonly Fault[]): Fault[] {
  const telling = collapseChoices(faults);
  const wrongType = new Set<string>();
  const wrongFormat = new Set<string>();
  for (const { keyword, instancePath } of telling) {
    if (keyword === 'type') wrongType.add(instancePath);
    if (keyword === 'format') wrongFormat.add(instancePath);
  }
  return telling.filter(({ keyword, instancePath }) => {
    if (keyword === 'if') return false;
    if (keyword !== 'type' && keyword !== 'required' && wrongType.has(instancePath)) return false;
    return !(LENGTHS.has(keyword) && wrongFormat.has(instancePath));
  });
}

/** Where `anyOf` or `oneOf` failed, the faults of its branches give way to its own code, or it to theirs when it has none. */
function collapseChoices(faults: readonly Fault[]): Fault[] {
  const kept: Fault[] = [];
  for (const fault of faults) {
    if (fault.keyword !== 'anyOf' && fault.keyword !== 'oneOf') {
      kept.push(fault);
      continue;
    }
    const inBranches = takeBranchFaults(kept, fault);
    const named = hintsOf(fault).code !== undefined || inBranches.length === 0;
    kept.push(...(named ? [fault] : tellingBranch(inBranches, fault.instancePath)));
  }
  return kept;
}

/** Takes the faults of a choice's branches off the end of the list: the validator reports them right before the choice itself. */
function takeBranchFaults(kept: Fault[], choice: Fault): Fault[] {
  const below = `${choice.instancePath}/`;
  let start = kept.length;
  for (let fault = kept[start - 1]; fault !== undefined; fault = kept[start - 1]) {
    const within = fault.instancePath === choice.instancePath || fault.instancePath.startsWith(below);
    if (!within || fault.parentSchema === choice.parentSchema) break;
    start -= 1;
  }
  return kept.splice(start);
}

/** The faults of the branches that were meant: not of those whose type is another one altogether. */
function tellingBranch(faults: readonly Fault[], path: string): readonly Fault[] {
  const meant = faults.filter(({ keyword, instancePath }) => keyword !== 'type' || instancePath !== path);
  if (meant.length > 0) return meant;
  const types = faults.filter(({ schema }) => schema !== 'null');
  return types.slice(0, 1);
}
