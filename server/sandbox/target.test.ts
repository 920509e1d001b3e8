import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { TlsMode } from '../config.ts';
import { baseUrlOf, describeTarget, type Target, writeTarget } from './target.ts';

const schema = JSON.parse(
  await readFile(new URL('../../conformance/target.schema.json', import.meta.url), 'utf8'),
);
const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false });
formats.default(ajv);
const isTarget = ajv.compile(schema);

const TENANT = {
  email: 'owner@demo.test',
  password: 'secret',
  from_email: 'hello@demo.test',
  domain_id: '0198c2f0-7d2e-7a31-9c55-2f0b8c1d4e6a',
  accounts: [
    {
      account_id: '0198c2f0-7d2e-7a31-9c55-2f0b8c1d4e6b',
      api_key: 'ss_key_x',
      type: 'transactional' as const,
    },
  ],
};

function described(tls: TlsMode = { kind: 'local' }): Target {
  const addresses = { tls, host: undefined, apiPort: 8443, opsPort: 9090 };
  const simulator = { delivery: 'delivery@simulator.test' };
  return describeTarget({ addresses, tenants: [TENANT], simulator, webhookAllowPrivate: true });
}

test('what the service writes is a valid target', () => {
  expect(isTarget(described()), JSON.stringify(isTarget.errors)).toBe(true);
  expect(described()).toMatchObject({
    base_url: 'https://localhost:8443',
    ca_file: 'tls/ca.pem',
    hooks: {
      advance_clock: 'http://127.0.0.1:9090/sandbox/clock',
      set_webhook_url: 'http://127.0.0.1:9090/sandbox/webhook',
    },
    webhooks: { registration: 'extension', listen_host: '127.0.0.1', secret: null },
  });
});

test('a certificate of the operator needs no file to trust', () => {
  expect(described({ kind: 'files', cert: 'a', key: 'b' })).not.toHaveProperty('ca_file');
  expect(described({ kind: 'insecure' }).base_url).toBe('http://localhost:8443');
});

test('the base URL names the address that is listened on', () => {
  const at = (host: string | undefined) => baseUrlOf({ tls: { kind: 'local' }, host, apiPort: 1 });
  expect(at(undefined)).toBe('https://localhost:1');
  expect(at('::')).toBe('https://localhost:1');
  expect(at('::1')).toBe('https://[::1]:1');
  expect(at('10.0.0.1')).toBe('https://10.0.0.1:1');
});

test('a target with everything is valid', () => {
  const whole = {
    ...described(),
    webhooks: { registration: 'extension', listen_host: '127.0.0.1', secret: null },
    tenants: [TENANT, TENANT],
  };
  expect(isTarget(whole), JSON.stringify(isTarget.errors)).toBe(true);
});

test('so is the least that a run needs', () => {
  expect(isTarget({ base_url: 'http://127.0.0.1:3000/api', tenants: [TENANT] })).toBe(true);
});

test.each([
  ['a typo in a name', { ...described(), base_ulr: 'https://x' }],
  ['a typo further in', { ...described(), hooks: { advance_clok: 'http://127.0.0.1/' } }],
  ['credentials in the URL', { ...described(), base_url: 'https://user:password@host' }],
  ['another scheme', { ...described(), base_url: 'ftp://host' }],
  ['no tenant', { ...described(), tenants: [] }],
  ['an unknown profile', { ...described(), profiles: ['everything'] }],
  ['an id that is none', { ...described(), tenants: [{ ...TENANT, domain_id: '42' }] }],
  [
    'a hook to register webhooks that is not named',
    { ...described(), hooks: { messages: 'http://127.0.0.1/' }, webhooks: { registration: 'hook' } },
  ],
])('%s is not valid', (_name, target) => {
  expect(isTarget(target)).toBe(false);
});

test('the schema describes every property', () => {
  const undescribed: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, child] of Object.entries(node)) {
      if (name === 'properties' && !path.includes('/if') && !path.includes('/then')) {
        for (const [property, value] of Object.entries(child)) {
          if (!Object.hasOwn(Object(value), 'description') && !Object.hasOwn(Object(value), '$ref')) {
            undescribed.push(`${path}/${property}`);
          }
        }
      }
      visit(child, `${path}/${name}`);
    }
  };
  visit(schema, '');
  expect(undescribed).toEqual([]);
});

test('the file is for its owner alone and is replaced as a whole', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sendspec-target-'));
  try {
    await writeTarget(folder, described());
    await writeTarget(folder, { ...described(), settle_timeout_ms: 5 });
    const path = join(folder, 'target.json');
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ settle_timeout_ms: 5 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await writeFile(join(folder, 'file'), '');
    await expect(writeTarget(join(folder, 'file'), described())).rejects.toThrow('cannot write');
  } finally {
    await rm(folder, { recursive: true });
  }
});
