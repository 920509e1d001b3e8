import { bundleSize, SIZE_LIMIT } from './bundle-size.ts';

const { minified, gzip } = await bundleSize();
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(2)} kB`;
console.log(
  `The client for browsers: ${kilobytes(gzip)} gzip of ${kilobytes(SIZE_LIMIT)}, ${kilobytes(minified)} minified.`,
);
if (gzip > SIZE_LIMIT) {
  console.error(
    'It has outgrown its limit: see what entered generated/client.ts, or decide on another limit in openapi/generate/bundle-size.ts.',
  );
  process.exitCode = 1;
}
