import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPGlite } from './pglite.ts';

describe('openPGlite', () => {
  let parent: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'sendspec-pglite-'));
  });

  afterEach(async () => {
    await rm(parent, { recursive: true, force: true });
  });

  it('makes the database again when a first start was killed in the middle of it', async () => {
    const folder = join(parent, 'database');
    await mkdir(`${folder}.new`);
    await writeFile(join(`${folder}.new`, 'PG_VERSION'), '17');
    const pglite = await openPGlite(folder);
    await pglite.exec('create table kept (value int); insert into kept values (7)');
    await pglite.close();
    expect(existsSync(`${folder}.new`)).toBe(false);

    const again = await openPGlite(folder);
    expect((await again.query('select value from kept')).rows).toEqual([{ value: 7 }]);
    await again.close();
  });

  it('says in one line why a database cannot be made', async () => {
    const folder = join(parent, 'database');
    await mkdir(folder);
    await writeFile(join(folder, 'somebody else'), '');
    await expect(openPGlite(folder)).rejects.toThrow(/ENOTEMPTY: directory not empty, rmdir .*$/);
  });
});
