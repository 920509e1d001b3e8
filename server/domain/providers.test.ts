import { expect, test } from 'vitest';
import { PROVIDERS, providerOf } from './providers.ts';

test.each([
  ['gmail-smtp-in.l.google.com', 'google'],
  ['ALT2.ASPMX.L.GOOGLE.COM', 'google'],
  ['demo-com.mail.protection.outlook.com', 'office 365'],
  ['demo-com.h-v1.mx.microsoft', 'office 365'],
  ['outlook-com.olc.protection.outlook.com', 'outlook'],
  ['mta5.am0.yahoodns.net', 'yahoo'],
  ['mx01.mail.icloud.com', 'apple'],
  ['google.com.evil.example', undefined],
  ['notgoogle.com', undefined],
  ['mx.demo.example', undefined],
])('the mail host %s belongs to %s', (host, name) => {
  expect(providerOf(host)?.name).toBe(name);
});

test('every provider takes something, and no name stands twice', () => {
  for (const { connections, messagesPerConnection } of PROVIDERS) {
    expect(connections).toBeGreaterThan(0);
    expect(messagesPerConnection).toBeGreaterThan(0);
  }
  const hosts = PROVIDERS.flatMap((provider) => provider.hosts);
  expect(new Set(hosts).size).toBe(hosts.length);
});
