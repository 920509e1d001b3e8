import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** What a page that uses the client has to load, in bytes of gzip. */
export const SIZE_LIMIT = 8_000;

const client = fileURLToPath(new URL('../../generated/client.ts', import.meta.url));

/**
 * The bytes of a module with everything that it imports, bundled for browsers and minified, plain and as gzip.
 *
 * @throws when it cannot be bundled for a browser, as with an import that only Node has.
 */
export async function bundleSize(entryPoint: string = client): Promise<{ minified: number; gzip: number }> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  const [bundle] = outputFiles;
  if (!bundle) throw new Error(`esbuild made nothing of ${entryPoint}.`);
  return { minified: bundle.contents.length, gzip: gzipSync(bundle.contents, { level: 9 }).length };
}
