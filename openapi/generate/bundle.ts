import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OpenApiDocument } from './document.ts';

const run = promisify(execFile);
const redocly = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const config = fileURLToPath(new URL('bundle.redocly.yaml', import.meta.url));

/**
 * Joins a document that is spread over files into one.
 *
 * The CLI runs as a child process: it carries its own copy of Redocly's core and exports no API.
 *
 * @throws when a reference leads nowhere; the message is Redocly's.
 */
export async function bundle(rootFile: string): Promise<OpenApiDocument> {
  const args = [redocly, 'bundle', rootFile, '--ext', 'json', '--config', config];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  try {
    const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024, env });
    return JSON.parse(stdout) as OpenApiDocument;
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new Error(`Bundling ${rootFile} failed:\n${stderr}`, { cause: error });
  }
}
