import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDocs } from './build.ts';

const outputFolder = fileURLToPath(new URL('../../dist/docs/', import.meta.url));
const pages = await buildDocs({ outputFolder });
console.log(`Wrote ${pages.length} pages. Open ${relative(process.cwd(), `${outputFolder}index.html`)}`);
