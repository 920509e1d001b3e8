import { buildDocs } from '../docs/build.ts';

const [documentFile = '', outputFolder = ''] = process.argv.slice(2);
await buildDocs({ documentFile, outputFolder });
