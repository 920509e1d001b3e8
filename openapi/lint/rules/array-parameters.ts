import type { Cursor } from '../cursor.ts';
import { everyOperation } from '../operations.ts';
import type { Rule } from '../redocly.ts';
import { typesOf } from '../schemas.ts';

/** A parameter that takes several values is an array filter: its name ends in [], and it is repeated. */
export const arrayParameters: Rule = () =>
  everyOperation(({ parameters }) => {
    for (const parameter of parameters) check(parameter);
  });

function check(parameter: Cursor): void {
  const name = parameter.text('name') ?? '';
  const isArray = typesOf(parameter.get('schema')?.node).includes('array');
  if (isArray !== name.endsWith('[]')) {
    const fix = isArray ? `rename ${name} to ${name}[]` : `make ${name} an array, or take the brackets away`;
    parameter.report(
      `The name of a parameter ends in [] when it takes several values, and only then: ${fix}.`,
    );
  }
  if (!isArray) return;
  if (parameter.text('style') !== 'form' || parameter.get('explode')?.node !== true) {
    parameter.report('An array filter is repeated, not joined: set style: form and explode: true.');
  }
  if (typeof parameter.get('schema', 'maxItems')?.node !== 'number') {
    parameter.report('An array filter has a largest number of values: add maxItems: 100 to its schema.');
  }
}
