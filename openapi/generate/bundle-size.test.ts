import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bundleSize, SIZE_LIMIT } from './bundle-size.ts';

async function moduleOf(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'size-')), 'module.ts');
  await writeFile(file, text);
  return file;
}

describe('the size of the client', () => {
  test('is below its limit, with all it imports, for a browser', async () => {
    const { minified, gzip } = await bundleSize();
    expect(gzip).toBeLessThan(SIZE_LIMIT);
    expect(minified).toBeGreaterThan(gzip);
  });

  test('counts what is imported', async () => {
    const imported = await moduleOf(`export const noise = ${JSON.stringify(crypto.randomUUID().repeat(9))};`);
    const { minified } = await bundleSize(await moduleOf(`export * from ${JSON.stringify(imported)};`));
    expect(minified).toBeGreaterThan(300);
  });

  test('can be taken of the helper for receivers, which runs at the edge as well', async () => {
    const helper = fileURLToPath(new URL('../../server/webhooks/verify.ts', import.meta.url));
    expect((await bundleSize(helper)).gzip).toBeLessThan(SIZE_LIMIT);
  });

  test('cannot be taken of what only Node runs', async () => {
    const file = await moduleOf("export { createHash } from 'node:crypto';");
    await expect(bundleSize(file)).rejects.toThrow('node:crypto');
  });
});
