import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import schema from '../target.schema.json' with { type: 'json' };
import type { LoadedTarget, Target } from './target.ts';

/** A target that cannot be used as it is. The message says what is wrong with which file, and what to do. */
export class TargetError extends Error {}

const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);
const validate = ajv.compile<Target>(schema);

/**
 * Reads a target file and the certificate authority that it names, which is looked for beside it.
 * @throws TargetError with every fault of the file.
 */
export function loadTarget(file: string): LoadedTarget {
  const target = parseTarget(readText(file, 'target file'), file);
  return { target, ca: target.ca_file === undefined ? undefined : readAuthority(file, target.ca_file) };
}

function parseTarget(text: string, file: string): Target {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TargetError(`The target file ${file} is not JSON: ${reason}.`);
  }
  if (validate(value)) return value;
  const faults = new Set((validate.errors ?? []).filter(isTelling).map(explain));
  throw new TargetError(
    [
      `The target file ${file} does not describe a target:`,
      ...[...faults].map((fault) => `  - ${fault}`),
    ].join('\n'),
  );
}

// That a conditional schema did not match is said by the fault inside it.
function isTelling({ keyword }: ErrorObject): boolean {
  return keyword !== 'if';
}

function explain({ instancePath, keyword, params, message }: ErrorObject): string {
  const where = instancePath === '' ? 'the file' : instancePath.slice(1).replaceAll('/', '.');
  switch (keyword) {
    case 'required':
      return `${where}: "${params.missingProperty}" is missing`;
    case 'additionalProperties':
      return `${where}: "${params.additionalProperty}" is not known here; is it a typing error?`;
    case 'enum':
      return `${where}: must be one of ${params.allowedValues.join(', ')}`;
    default:
      return `${where}: ${message ?? 'is wrong'}`;
  }
}

function readAuthority(targetFile: string, caFile: string): string {
  const path = resolve(dirname(targetFile), caFile);
  const pem = readText(path, 'ca_file');
  try {
    new X509Certificate(pem);
  } catch {
    throw new TargetError(`The ca_file ${path} holds no certificate in PEM form.`);
  }
  return pem;
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EISDIR'
          ? 'it is a folder'
          : `it cannot be read (${code})`;
    throw new TargetError(`The ${what} ${path} cannot be used: ${reason}.`);
  }
}
