import { execFile } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../generate/bundle.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const REDOCLY = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
const BUILD = fileURLToPath(new URL('build.ts', import.meta.url));

/** A fault of the document, for people: where it is, and what the rule says. */
export interface Problem {
  /** `openapi/paths/login.yaml:12`, empty when the linter cannot say. */
  readonly where: string;
  readonly message: string;
  readonly rule: string;
}

/** Holds the contract's sources to its rules, as `npm run lint` does. */
export async function lint(folder: string): Promise<readonly Problem[]> {
  const args = [
    'lint',
    'source',
    '--config',
    join(folder, 'redocly.yaml'),
    '--format',
    'json',
    '--max-problems',
    '1000',
  ];
  const { stdout, stderr } = await run([REDOCLY, ...args]);
  return problemsIn(stdout) ?? [{ where: '', message: plain(stderr), rule: 'unreadable' }];
}

/**
 * Builds the docs of the contract as it is written now into `output`; `generated/` is left alone. The folder changes only when the
 * building has succeeded.
 * @throws Error that says why it failed.
 */
export async function buildPreview(folder: string, output: string): Promise<void> {
  const document = await bundle(join(folder, 'openapi.yaml'));
  const draft = `${output}.draft`;
  await mkdir(draft, { recursive: true });
  await writeFile(join(draft, 'contract.json'), JSON.stringify(document));
  const { code, stderr } = await run([BUILD, join(draft, 'contract.json'), join(draft, 'site')]);
  if (code !== 0) throw new Error(plain(stderr));
  await rm(output, { recursive: true, force: true });
  await rename(join(draft, 'site'), output);
}

interface LintReport {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly {
      readonly source?: { readonly ref?: string };
      readonly start?: { readonly line: number };
      readonly pointer?: string;
    }[];
  }[];
}

/** Undefined when it is no report: the linter broke, mostly on a file that is no YAML. */
function problemsIn(text: string): readonly Problem[] | undefined {
  try {
    const { problems } = JSON.parse(text) as LintReport;
    return problems.map(({ ruleId, message, location: [place] }) => {
      const file = place?.source?.ref === undefined ? '' : relative(ROOT, join(ROOT, place.source.ref));
      const position = place?.start?.line ?? place?.pointer ?? '';
      return { where: [file, position].filter((part) => part !== '').join(':'), message, rule: ruleId };
    });
  } catch {
    return undefined;
  }
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** In a process of its own, so that changed code of the rules and of the docs counts too. */
function run(args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [...args],
      { cwd: ROOT, env, maxBuffer: 1e8 },
      (_error, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** Without the colours of a terminal, and without the trace of a fault. */
function plain(text: string): string {
  const [, fault] = /^\w*Error: ([\s\S]*?)(?:\n {4}at |$)/m.exec(text) ?? [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how colours begin
  return (fault ?? text).replace(/\u001b\[[\d;]*m/g, '').trim();
}
