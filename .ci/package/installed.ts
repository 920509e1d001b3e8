import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CONSUMER = fileURLToPath(new URL('consumer/', import.meta.url));

/** How a command ended. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** An empty folder outside of the repository, into which the packed package was installed. */
export interface Installed {
  readonly folder: string;
  readonly tarball: string;
  /** What is in the tarball, by path. */
  readonly files: readonly string[];
  /** Runs a program there; npm's `.bin` folders of this repository are not on its PATH. */
  run(program: string, ...args: string[]): Promise<Ended>;
  /** Starts a program there that goes on until `stop`, and waits for a line of its output. */
  start(line: string, program: string, ...args: string[]): Promise<Running>;
  remove(): Promise<void>;
}

export interface Running {
  readonly out: () => string;
  /** Ends it as Ctrl-C does, and returns its exit code. */
  stop(): Promise<number | null>;
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs, and installs what was packed as its users do. */
export async function installPackage(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'sendspec-package-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    return { ...(await packInto(folder)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function packInto(folder: string): Promise<Omit<Installed, 'remove'>> {
  const app = join(folder, 'app');
  await mkdir(app);
  const [packed] = JSON.parse(
    await succeed('npm', ['pack', '--json', '--pack-destination', folder], ROOT),
  ) as Packed[];
  if (packed === undefined) throw new Error('npm pack made nothing');
  const tarball = join(folder, packed.filename);
  await writeFile(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
  await succeed('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball], app);
  for (const name of ['consumer.ts', 'tsconfig.json']) await copyFile(join(CONSUMER, name), join(app, name));
  return {
    folder: app,
    tarball,
    files: packed.files.map(({ path }) => path),
    run: (program, ...args) => run(program, args, app),
    start: (line, program, ...args) => start(line, program, args, app),
  };
}

async function succeed(program: string, args: readonly string[], folder: string): Promise<string> {
  const { code, out, err } = await run(program, args, folder);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${out}\n${err}`);
  // The scripts of npm say what they do before npm prints its answer.
  return out.slice(Math.max(0, out.search(/^\[$/m)));
}

function run(program: string, args: readonly string[], folder: string): Promise<Ended> {
  return new Promise((done) => {
    const options = { cwd: folder, env: environment(folder), maxBuffer: 1e8 };
    const child = execFile(program, [...args], options, (_error, out, err) =>
      done({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

async function start(
  line: string,
  program: string,
  args: readonly string[],
  folder: string,
): Promise<Running> {
  const child = spawn(program, args, { cwd: folder, env: environment(folder) });
  const output = { out: '', err: '' };
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ready = new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk: Buffer) => {
      output.out += chunk;
      if (output.out.includes(line)) resolve();
    }),
  );
  child.stderr.on('data', (chunk: Buffer) => {
    output.err += chunk;
  });
  const early = ended.then((code) => {
    throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output.out}\n${output.err}`);
  });
  await Promise.race([ready, early]);
  early.catch(() => undefined);
  return {
    out: () => output.out,
    stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/**
 * This Node first, then what the machine has: in the repository's own folder its tools too. The settings of this process's service
 * stay behind; those of npm, such as a registry or a proxy, do not.
 */
function environment(folder: string): NodeJS.ProcessEnv {
  const inherited = (process.env.PATH ?? '').split(delimiter);
  const paths = inherited.filter((path) => folder === ROOT || !path.startsWith(ROOT));
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:DATABASE_URL|SENDSPEC_\w+|VITEST\w*|NODE_ENV)$/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: [dirname(process.execPath), ...paths].join(delimiter),
    PORT: '0',
    SENDSPEC_OPS_PORT: '0',
    SENDSPEC_SMTP_PORT: '0',
    SENDSPEC_WEB_PORT: '0',
  };
}
