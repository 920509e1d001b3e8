import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

// The editor's hints come from files that move: each schema has to be there, and to fit the files that it is for.
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const json = (path: string) => JSON.parse(readFileSync(`${ROOT}${path}`, 'utf8'));
const settings: { 'yaml.schemas': Record<string, string | string[]>; 'json.schemas': { url: string }[] } =
  json('.vscode/settings.json');

test.each(Object.entries(settings['yaml.schemas']))('%s fits %s', (schemaFile, pattern) => {
  const validate = validatorOf(schemaFile);
  const files = globSync(pattern, { cwd: ROOT });
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const isGood = validate(parse(readFileSync(`${ROOT}${file}`, 'utf8')));
    expect(isGood, `${file}: ${JSON.stringify(validate.errors)}`).toBe(true);
  }
});

test('the schemas of JSON files are there', () => {
  for (const { url } of settings['json.schemas']) expect(json(url)).toHaveProperty('$schema');
});

test('a typing error is shown', () => {
  const validate = validatorOf('./.vscode/schemas/parameter.json');
  expect(validate({ name: 'limit', in: 'qeury', schema: {} })).toBe(false);
});

/** The schema in its file; of one that refers to a part of another file, that part. */
function validatorOf(schemaFile: string): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const schema = json(schemaFile);
  const [target, fragment] = String(schema.$ref ?? '').split('#');
  if (target && fragment) {
    const { $defs } = json(target.replace('../../', ''));
    return ajv.compile({ $defs, $ref: `#${fragment}` });
  }
  // That of JSON Schema itself is known already.
  return ajv.getSchema(schema.$id ?? '') ?? ajv.compile(schema);
}
