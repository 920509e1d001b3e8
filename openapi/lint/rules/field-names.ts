import { isRecord } from '../cursor.ts';
import type { Context, Rule } from '../redocly.ts';

const SNAKE_CASE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** A field of a body and a parameter of a path or query are named in snake_case; brackets at the end are the business of `array-parameters`. */
export const fieldNames: Rule = () => ({
  Schema: (schema, context) => {
    if (!isRecord(schema) || !isRecord(schema.properties)) return;
    for (const name of Object.keys(schema.properties)) check('field', name, context, ['properties', name]);
  },
  Parameter: (parameter, context) => {
    if (!isRecord(parameter) || typeof parameter.name !== 'string' || parameter.in === 'header') return;
    check('parameter', parameter.name.replace(/\[\]$/, ''), context, ['name']);
  },
});

function check(what: string, name: string, { report, location }: Context, place: string[]): void {
  if (SNAKE_CASE.test(name)) return;
  report({
    message: `A ${what} is named in snake_case: rename ${name} to ${snakeCase(name)}.`,
    location: location.child(place),
  });
}

function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}
