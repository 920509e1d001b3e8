import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from './errors.ts';

const LOCK_FILE = 'sendspec.lock';
const heldHere = new Set<string>();

/**
 * Claims a data folder for this process; two processes in one embedded database would destroy it.
 * Returns the function that gives it up. A lock that a killed process left behind is taken over.
 * Throws StartupError when another living process holds the folder, or when it cannot be written to.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, LOCK_FILE);
  makeFolder(folder);
  if (heldHere.has(path)) throw inUse(folder, process.pid);
  if (!writeLock(path)) {
    const holder = livingHolder(path);
    if (holder !== undefined) throw inUse(folder, holder);
    rmSync(path, { force: true });
    if (!writeLock(path)) throw inUse(folder, livingHolder(path) ?? 0);
  }
  heldHere.add(path);
  return () => {
    if (heldHere.delete(path)) rmSync(path, { force: true });
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw notWritable(folder, error);
  }
}

/** Whether the lock file could be made; false when there is one already. */
function writeLock(path: string): boolean {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, `${process.pid} ${startOf(process.pid)}\n`);
    closeSync(file);
    return true;
  } catch (error) {
    if (isErrnoException(error) && error.code === 'EEXIST') return false;
    throw notWritable(path, error);
  }
}

// Process ids are used again (in a container they always are), so the lock also names when its process began.
function livingHolder(path: string): number | undefined {
  const [pidText = '', start = ''] = readFileSync(path, 'utf8').trim().split(' ');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  return start === startOf(pid) ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrnoException(error) && error.code === 'EPERM';
  }
}

/** The moment that Linux says a process began, in ticks since boot; elsewhere the same word for all. */
function startOf(pid: number): string {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
    return afterName.split(' ')[19] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

function inUse(folder: string, pid: number): StartupError {
  return new StartupError(
    `The data folder ${folder} is in use by process ${pid}.`,
    'Stop that process first, or give this one its own folder with SENDSPEC_DATA_DIR.',
  );
}

function notWritable(path: string, cause: unknown): StartupError {
  return new StartupError(
    `The data folder cannot be written to: ${path}.`,
    'Give the user of this process the right to write there, or name another folder with SENDSPEC_DATA_DIR.',
    { cause },
  );
}

function isErrnoException(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
