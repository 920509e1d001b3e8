import { dirname, resolve } from 'node:path';
import { loadTarget, TargetError } from '../target/load-target.ts';
import { profilesOf } from '../target/target.ts';

/** A target in the words of Schemathesis. */
export interface Invocation {
  /** What the settings and the hooks read; secrets stay out of the command line. */
  env: Record<string, string>;
  /** Options of `st run` that no setting can hold. */
  args: string[];
}

const EXTENSIONS = '/x-origin == "extension"';

/**
 * Reads a target file. The first organisation and its first account are the ones that Schemathesis works with.
 * @throws TargetError when the file cannot be used.
 */
export function readInvocation(file: string): Invocation {
  const { target } = loadTarget(file);
  const [tenant] = target.tenants;
  const [account] = tenant?.accounts ?? [];
  if (tenant === undefined || account === undefined)
    throw new TargetError(`The target file ${file} names no account.`);
  const ca = target.ca_file === undefined ? undefined : resolve(dirname(file), target.ca_file);
  return {
    env: {
      TARGET_BASE_URL: target.base_url,
      TARGET_EMAIL: tenant.email,
      TARGET_PASSWORD: tenant.password,
      TARGET_FROM_EMAIL: tenant.from_email,
      TARGET_ACCOUNT_ID: account.account_id,
      TARGET_API_KEY: account.api_key,
      ...(ca === undefined ? {} : { TARGET_CA_FILE: ca }),
    },
    args: [
      ...['--url', target.base_url],
      ...(ca === undefined ? [] : ['--tls-verify', ca]),
      ...(profilesOf(target).includes('extensions') ? [] : ['--exclude-by', EXTENSIONS]),
    ],
  };
}
