import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TargetError } from '../target/load-target.ts';
import { readInvocation } from './environment.ts';

const TENANT = {
  email: 'owner@demo.test',
  password: 'a "quoted" $(password)',
  from_email: 'hello@demo.test',
  domain_id: 'd40b7e9a-1c25-4a86-b3f7-2e8d5f609c14',
  accounts: [{ account_id: '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3', api_key: 'key', type: 'transactional' }],
};
const CA = `-----BEGIN CERTIFICATE-----
MIIBfDCCASOgAwIBAgIUQ0==
-----END CERTIFICATE-----
`;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendspec-invocation-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function invocationOf(target: unknown) {
  const file = join(folder, 'target.json');
  await writeFile(file, JSON.stringify(target));
  return readInvocation(file);
}

test('hands credentials over in the environment, never on the command line', async () => {
  const { env, args } = await invocationOf({ base_url: 'https://mail.test/api', tenants: [TENANT] });
  expect(env).toEqual({
    TARGET_BASE_URL: 'https://mail.test/api',
    TARGET_EMAIL: TENANT.email,
    TARGET_PASSWORD: TENANT.password,
    TARGET_FROM_EMAIL: TENANT.from_email,
    TARGET_ACCOUNT_ID: TENANT.accounts[0]?.account_id,
    TARGET_API_KEY: 'key',
  });
  expect(args.slice(0, 2)).toEqual(['--url', 'https://mail.test/api']);
  expect(args.join(' ')).not.toContain(TENANT.password);
});

test('leaves the extensions out unless the server claims them', async () => {
  const core = await invocationOf({ base_url: 'https://mail.test', tenants: [TENANT] });
  expect(core.args).toContain('/x-origin == "extension"');
  const profiles = ['core', 'extensions'];
  const both = await invocationOf({ base_url: 'https://mail.test', tenants: [TENANT], profiles });
  expect(both.args).not.toContain('--exclude-by');
});

test('says what is wrong with a target file', async () => {
  await expect(invocationOf({ base_url: 'https://mail.test' })).rejects.toThrow(TargetError);
  await writeFile(join(folder, 'ca.pem'), CA);
  const broken = { base_url: 'https://mail.test', ca_file: 'ca.pem', tenants: [TENANT] };
  await expect(invocationOf(broken)).rejects.toThrow('holds no certificate');
});
