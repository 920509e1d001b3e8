import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What keeps Schemathesis from being run at all. The message says what to do. */
export class SetupError extends Error {}

/** This folder: Schemathesis runs in it, so that it finds its settings and hooks. */
export const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** The document that a server is held against. */
export const CONTRACT = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url));

const REQUIREMENTS = join(FOLDER, 'requirements.txt');
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/schemathesis/', import.meta.url));
const execute = promisify(execFile);

/**
 * Gives the path of the pinned `st` command. The first call puts it into a virtual environment of its own, later ones find it there.
 * @throws SetupError without Python, its venv module, or a package index.
 */
export async function installSchemathesis(): Promise<string> {
  const folder = join(CACHE, await cacheKey());
  const command = join(folder, 'bin', 'st');
  const finished = join(folder, 'finished');
  if (await exists(finished)) return command;
  await rm(folder, { recursive: true, force: true });
  await mkdir(CACHE, { recursive: true });
  await must(
    'python3',
    ['-m', 'venv', folder],
    'Install Python 3.10 or newer with its venv module (Debian: python3-venv).',
  );
  const packages = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '-r',
    REQUIREMENTS,
  ];
  await must(
    join(folder, 'bin', 'python'),
    packages,
    'Schemathesis comes from a Python package index: is one reachable?',
  );
  await writeFile(finished, '');
  return command;
}

/** Settings by which Python keeps what it remembers in that folder, and nothing in the sources. */
export function cachesIn(folder: string): Record<string, string> {
  return { PYTHONDONTWRITEBYTECODE: '1', HYPOTHESIS_STORAGE_DIRECTORY: join(folder, 'hypothesis') };
}

/** Another Python or other packages are another environment. */
async function cacheKey(): Promise<string> {
  const version = await must(
    'python3',
    ['--version'],
    'Install Python 3.10 or newer: the real Schemathesis needs it.',
  );
  const hash = createHash('sha256')
    .update(version)
    .update(await readFile(REQUIREMENTS));
  return hash.digest('hex').slice(0, 16);
}

async function must(command: string, args: string[], advice: string): Promise<string> {
  try {
    return (await execute(command, args)).stdout;
  } catch (error) {
    const { stderr = '' } = Object(error);
    const reason =
      String(stderr).trim().split('\n').at(-1) || (error instanceof Error ? error.message : error);
    throw new SetupError(`${command} ${args.slice(0, 3).join(' ')} failed: ${reason}\n${advice}`);
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
