import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { components } from '../../generated/types.ts';
import { type DnsZone, startDnsServer } from '../testing/dns-server.ts';
import { startApi, type TestApi, type TestTenant } from '../testing.ts';

type Domain = components['schemas']['Domain'];

const zone: DnsZone = {};
let dns: Awaited<ReturnType<typeof startDnsServer>>;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  dns = await startDnsServer(zone);
  api = await startApi({ SENDSPEC_DNS_SERVERS: dns.address });
  tenant = await api.createTenant();
});
afterAll(async () => {
  await api.close();
  dns.close();
});

/** A new domain that the tenant's account may send from. */
async function createdDomain(name: string, return_path_hostname: string | null = null): Promise<Domain> {
  const accounts = [tenant.account.account_id];
  return (await tenant.client.createDomain({ body: { name, accounts, return_path_hostname } })).data;
}
const verify = ({ domain_id }: Domain, what: 'dkim' | 'return_path') =>
  tenant.call('POST', `/v1/domains/${domain_id}/verify_${what}`);
const read = async ({ domain_id }: Domain) => (await tenant.client.getDomain({ path: { domain_id } })).data;

/** The code that a mail from an address is rejected with, "accepted" when it is not. */
async function sendFrom(email: string): Promise<string> {
  const message = {
    from: { email },
    to: [{ email: 'ann@example.com' }],
    subject: 'Hi',
    body: { text: 'Hi' },
  };
  const { data } = await tenant.client.sendEmail({ body: [message] });
  const [result] = data;
  return result?.status === 'rejected' ? result.code : 'accepted';
}

describe('verifying in the DNS', () => {
  const publicKeys = async (domain: Domain) => {
    const keys = await api.store.zone.dkimKeys();
    return [domain.dkim_cname_1, domain.dkim_cname_2].map(
      (target) => keys.find((key) => key.target === target)?.publicKey ?? '',
    );
  };

  /** Publishes what the owner of the domain and the service have to. */
  async function publish(domain: Domain): Promise<void> {
    const [first = '', second = ''] = await publicKeys(domain);
    zone[domain.dkim_selector_1] = [{ cname: domain.dkim_cname_1 }];
    zone[domain.dkim_selector_2] = [{ cname: domain.dkim_cname_2 }];
    // A string of a TXT record has 255 bytes at most (RFC 1035, section 3.3), and a key does not fit into one.
    zone[domain.dkim_cname_1] = [{ txt: ['v=DKIM1; k=rsa; p=', first.slice(0, 200), first.slice(200)] }];
    zone[domain.dkim_cname_2] = [{ txt: ['v=DKIM1; k=rsa; p=', second.slice(0, 200), second.slice(200)] }];
    zone[`${domain.return_path_hostname}.${domain.name}`] = [{ cname: domain.return_path_cname }];
  }

  test('finds what is published, and lets mail through once all is there', async () => {
    const domain = await createdDomain('customer.example');
    await publish(domain);
    const before = api.clock.now();
    expect(await verify(domain, 'dkim')).toMatchObject({ status: 200, data: 'OK' });
    expect(await sendFrom('a@customer.example')).toBe('SENDING_DOMAIN_NOT_VERIFIED');
    expect(await verify(domain, 'return_path')).toMatchObject({ status: 200, data: 'OK' });
    expect(await sendFrom('a@customer.example')).toBe('accepted');
    const after = await read(domain);
    expect(before < (after.dkim_verified_at ?? '')).toBe(true);
    expect((after.dkim_verified_at ?? '') < (after.return_path_verified_at ?? '')).toBe(true);
  });

  test('reports per record what was expected and what was found', async () => {
    const domain = await createdDomain('broken.example');
    expect(await verify(domain, 'dkim')).toMatchObject({
      status: 409,
      code: 'DKIM_NOT_VERIFIED',
      errors: [
        {
          code: 'DKIM_NOT_VERIFIED',
          description: `CNAME record of ${domain.dkim_selector_1}: expected "${domain.dkim_cname_1}", found the name does not exist (NXDOMAIN).`,
        },
        { code: 'DKIM_NOT_VERIFIED', description: expect.stringContaining(domain.dkim_cname_2) },
      ],
    });
    await publish(domain);
    zone[domain.dkim_cname_2] = [{ txt: 'v=DKIM1; k=rsa; p=AAAA' }];
    const [, key] = await publicKeys(domain);
    const report = await verify(domain, 'dkim');
    expect(report).toMatchObject({ status: 409, code: 'DKIM_NOT_VERIFIED' });
    const descriptions = (report.errors as { description: string }[]).map(({ description }) => description);
    expect(descriptions).toEqual([
      `TXT record of ${domain.dkim_cname_2}: expected "v=DKIM1; k=rsa; p=${key}", found "v=DKIM1; k=rsa; p=AAAA".`,
    ]);
    zone['cs-bounces.broken.example'] = [{ cname: 'bounces.elsewhere.example' }];
    expect(await verify(domain, 'return_path')).toMatchObject({
      status: 409,
      code: 'RETURN_PATH_NOT_VERIFIED',
      errors: [
        {
          code: 'RETURN_PATH_NOT_VERIFIED',
          description: expect.stringContaining('found "bounces.elsewhere.example"'),
        },
      ],
    });
    expect(await read(domain)).toEqual(domain);
  });

  test('keeps an earlier success when a later look fails', async () => {
    const domain = await createdDomain('flaky.example');
    await publish(domain);
    await verify(domain, 'dkim');
    await verify(domain, 'return_path');
    const verified = await read(domain);
    zone[domain.dkim_selector_1] = 'SERVFAIL';
    delete zone['cs-bounces.flaky.example'];
    expect(await verify(domain, 'dkim')).toMatchObject({ status: 409, code: 'DKIM_NOT_VERIFIED' });
    expect(await verify(domain, 'return_path')).toMatchObject({
      status: 409,
      code: 'RETURN_PATH_NOT_VERIFIED',
    });
    expect(await read(domain)).toEqual(verified);
    await publish(domain);
    await verify(domain, 'dkim');
    const again = await read(domain);
    expect((again.dkim_verified_at ?? '') > (verified.dkim_verified_at ?? '')).toBe(true);
  });

  test('looks below the chosen host', async () => {
    const domain = await createdDomain('chosen.example', 'mail.bounces');
    zone['mail.bounces.chosen.example'] = [{ cname: `${domain.return_path_cname.toUpperCase()}` }];
    expect((await verify(domain, 'return_path')).status).toBe(200);
    const path = { domain_id: domain.domain_id };
    await tenant.client.updateDomain({ path, body: { accounts: [], return_path_hostname: 'elsewhere' } });
    expect(await verify(domain, 'return_path')).toMatchObject({
      status: 409,
      errors: [{ description: expect.stringContaining('elsewhere.chosen.example') }],
    });
  });

  test('asks nobody about names below .test in the sandbox, and about all others', async () => {
    const reserved = await createdDomain('a.b.test');
    expect((await verify(reserved, 'dkim')).status).toBe(200);
    const lookalike = await createdDomain('b.test.example');
    expect((await verify(lookalike, 'dkim')).status).toBe(409);
    const ending = await createdDomain('a.nottest');
    expect((await verify(ending, 'dkim')).status).toBe(409);
  });
});
