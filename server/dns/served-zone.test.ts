import { Resolver } from 'node:dns/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDatabase, readTarget, start, stop } from '../testing/service-process.ts';

test('the service serves what sendspec dns zone prints', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sendspec-dns-'));
  const database = await createDatabase(folder);
  const settings = { SENDSPEC_DNS_PORT: '0', SENDSPEC_MAIL_ADDRESSES: '192.0.2.25' };
  const service = await start(folder, { ...database.env, ...settings });
  const [, port = ''] = /DNS zone +mail\.sendspec\.test, port (\d+) /.exec(service.stdout()) ?? [];
  const { hooks } = await readTarget(folder);
  const printed = await fetch(new URL('/dns/zone', hooks?.messages));
  const records = [...(await printed.text()).matchAll(/^(\S+)\. 3600 IN (\w+) (.+)$/gm)];
  // The address, two records of the bounce host, and two keys for each of the two domains of the demo.
  expect(records).toHaveLength(7);
  const resolver = new Resolver({ timeout: 30_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  for (const [, name = '', type = '', data = ''] of records) {
    const found = await resolver.resolve(name, type);
    const inWords = JSON.stringify(found).replaceAll(/[[\]]/g, '').replaceAll('","', '" "');
    expect(type === 'TXT' ? inWords : JSON.stringify(found)).toContain(
      type === 'MX' ? '"exchange":"mail.sendspec.test","priority":10' : data,
    );
  }
  expect(await stop(service)).toEqual({ code: 0, signal: null });
  await database.drop();
  await rm(folder, { recursive: true });
});
