import fc, { type Arbitrary } from 'fast-check';
import { type OperationId, operationOf, type Parameter } from '../contract/document.ts';
import type { Schema } from '../contract/schema.ts';
import {
  type BrokenRequest,
  MALFORMED_ID,
  type Mutation,
  SURVIVED,
  UNPROCESSABLE,
  type Verdict,
} from './fault.ts';
import { type OwnParts, parameterValues, type QueryValue } from './requests.ts';
import { typesOf } from './values.ts';
import { refusesLineBreaks, wrongTexts } from './wrong-values.ts';

/** Texts that a single value must not be. */
interface WrongTexts {
  kind: string;
  verdict: Verdict;
  texts: readonly string[];
}

interface Change {
  kind: string;
  verdict: Verdict;
  /** What the parameter then is; undefined when it is not there. */
  values: Arbitrary<QueryValue | readonly QueryValue[] | undefined>;
}

const NO_INTEGERS = ['abc', '1.5', '1,5', 'x1', '--1', '0x10'];
const NEGATIVE = ['-1', '-30'];

/** Every way of breaking the parameters of an operation: those of the path and those of the query. */
export function parameterMutations(id: OperationId, own: OwnParts = {}): Mutation[] {
  return operationOf(id).parameters.flatMap((parameter) =>
    changesOf(parameter, own).map((change) => mutationOf(id, parameter, change)),
  );
}

function mutationOf(
  operation: OperationId,
  parameter: Parameter,
  { kind, verdict, values }: Change,
): Mutation {
  const { name } = parameter;
  const where = parameter.in === 'path' ? 'path' : 'query';
  const fault = { where, at: name, kind } as const;
  return {
    operation,
    fault,
    verdict,
    requests: (base) =>
      fc.tuple(base, values).map(([parts, value]): BrokenRequest => {
        const { [name]: _replaced, ...others } = parts[where];
        const changed = value === undefined ? others : { ...others, [name]: value };
        return { ...parts, [where]: changed, fault, verdict };
      }),
  };
}

function changesOf(parameter: Parameter, own: OwnParts): Change[] {
  const { in: place, array, required, schema } = parameter;
  const changes = wrongTextsOf(array ? (schema.items ?? {}) : schema).map(({ texts, ...change }): Change => {
    const values = fc.constantFrom(...texts);
    return { ...change, values: array ? values.map((text) => [text]) : values };
  });
  if (place !== 'query') return changes;
  if (!array) changes.push(givenTwice(parameter, own));
  if (required) changes.push({ kind: 'missing', verdict: UNPROCESSABLE, values: fc.constant(undefined) });
  return changes;
}

function wrongTextsOf(schema: Schema): WrongTexts[] {
  if (typesOf(schema).includes('integer')) return wrongIntegers(schema);
  const { format, pattern } = schema;
  const verdict = format === 'uuid' ? MALFORMED_ID : UNPROCESSABLE;
  const wrong = wrongTexts(schema).map(({ kind, values }) => ({ kind, verdict, texts: values.map(String) }));
  // A search for what cannot be there may be refused or find nothing, but nothing may break over it.
  const isSearch = pattern !== undefined && !refusesLineBreaks(pattern);
  return isSearch ? [...wrong, { kind: 'NUL', verdict: SURVIVED, texts: ['a\u0000b'] }] : wrong;
}

function wrongIntegers({ minimum, maximum, enum: choices }: Schema): WrongTexts[] {
  const wrong: WrongTexts[] = [
    { kind: 'not an integer', verdict: UNPROCESSABLE, texts: NO_INTEGERS },
    { kind: 'negative', verdict: UNPROCESSABLE, texts: NEGATIVE },
  ];
  if (minimum === 1) wrong.push({ kind: '0', verdict: UNPROCESSABLE, texts: ['0'] });
  // Nothing is that far away, but it may be asked for.
  if (minimum === 0 && maximum !== undefined)
    wrong.push({ kind: 'as large as can be', verdict: SURVIVED, texts: [String(maximum)] });
  if (choices !== undefined) wrong.push({ kind: 'unknown value', verdict: UNPROCESSABLE, texts: ['2', '9'] });
  return wrong;
}

function givenTwice(parameter: Parameter, own: OwnParts): Change {
  const value = parameterValues(parameter, own.query).map((one) =>
    typeof one === 'number' ? one : String(one),
  );
  return { kind: 'given twice', verdict: UNPROCESSABLE, values: fc.tuple(value, value) };
}
