import { fileURLToPath } from 'node:url';
import { generate } from './generate.ts';
import { findStale, update } from './output.ts';

const rootFile = fileURLToPath(new URL('../openapi.yaml', import.meta.url));
const outputFolder = fileURLToPath(new URL('../../generated/', import.meta.url));

const files = await generate(rootFile);
const stale = await findStale(outputFolder, files);
if (!process.argv.includes('--check')) {
  await update(outputFolder, files, stale);
  console.log(stale.length === 0 ? 'generated/ was up to date.' : `Wrote generated/: ${stale.join(', ')}`);
} else if (stale.length > 0) {
  console.error(`generated/ is stale: ${stale.join(', ')}\nRun "npm run generate" and commit the result.`);
  process.exitCode = 1;
} else {
  console.log('generated/ matches the document.');
}
