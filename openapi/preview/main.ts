import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPreview } from './preview.ts';
import { buildPreview, lint } from './steps.ts';

const FOLDER = fileURLToPath(new URL('../', import.meta.url));
const OUTPUT = fileURLToPath(new URL('../../dist/preview', import.meta.url));
const DEFAULT_PORT = '4020';

try {
  const { values } = parseArgs({ options: { port: { type: 'string', default: DEFAULT_PORT } } });
  const preview = await startPreview({
    folder: FOLDER,
    output: OUTPUT,
    port: portOf(values.port),
    lint: () => lint(FOLDER),
    build: () => buildPreview(FOLDER, OUTPUT),
  });
  console.log(
    `The docs of the contract as you write it: ${preview.url}\nEvery change below openapi/ shows there. Ctrl-C ends it.`,
  );
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await preview.close();
} catch (error) {
  console.error(`preview: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new Error(`--port has to be a whole number up to 65535, not ${text}`);
}
