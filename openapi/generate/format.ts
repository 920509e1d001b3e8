import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const biome = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
const config = fileURLToPath(new URL('biome.generated.json', import.meta.url));

/**
 * Formats a generated file, so that the same document always gives the same bytes.
 *
 * @throws when the text is not valid in the language that `fileName` implies.
 */
export async function format(fileName: string, text: string): Promise<string> {
  const args = [biome, 'format', `--config-path=${config}`, `--stdin-file-path=${fileName}`];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const closed = new Promise<number | null>((done, fail) => {
    child.on('error', fail);
    child.on('close', done);
  });
  child.stdin.end(text);
  const code = await closed;
  if (code !== 0) throw new Error(`Formatting ${fileName} failed:\n${Buffer.concat(errors).toString()}`);
  return Buffer.concat(output).toString();
}
