import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { components } from '../../generated/types.ts';
import { openResolver } from '../dns/resolver.ts';
import { type DnsZone, startDnsServer } from '../testing/dns-server.ts';
import { type Answer, eventually, startApi, type TestApi, type TestTenant } from '../testing.ts';

type Domain = components['schemas']['Domain'];

const SECONDS_PER_HOUR = 3600;
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

/** The service's own zone, as it is now, reaches the DNS. */
async function publishKeys(): Promise<void> {
  for (const { target, publicKey } of await api.store.zone.dkimKeys())
    zone[target] = [{ txt: ['v=DKIM1; k=rsa; p=', publicKey.slice(0, 200), publicKey.slice(200)] }];
}

/** A verified domain; what its owner publishes stays as it is from here on. */
async function verifiedDomain(name: string): Promise<Domain> {
  const accounts = [tenant.account.account_id];
  const { data: domain } = await tenant.client.createDomain({ body: { name, accounts } });
  zone[domain.dkim_selector_1] = [{ cname: domain.dkim_cname_1 }];
  zone[domain.dkim_selector_2] = [{ cname: domain.dkim_cname_2 }];
  zone[`${domain.return_path_hostname}.${name}`] = [{ cname: domain.return_path_cname }];
  await publishKeys();
  const path = { domain_id: domain.domain_id };
  await tenant.client.verifyDomainDkim({ path });
  await tenant.client.verifyDomainReturnPath({ path });
  return domain;
}

const rotate = ({ domain_id }: Pick<Domain, 'domain_id'>) =>
  tenant.call('POST', `/v1/domains/${domain_id}/rotate_dkim`);

/** Sessions grow old, too. */
async function anHourPasses(): Promise<void> {
  await api.advance(SECONDS_PER_HOUR);
  const { client, call } = await api.signIn(tenant.owner, tenant.account);
  tenant = { ...tenant, client, call };
}

const requestedAt = ({ data }: Answer) => Object(data).requested_at;

/** Sends a mail and returns it as it arrived. */
async function mailFrom(domain: string): Promise<string> {
  const email = `ann-${crypto.randomUUID()}@example.com`;
  await tenant.client.sendEmail({
    body: [
      {
        from: { email: `hello@${domain}` },
        to: [{ email }],
        subject: 'Grüße',
        body: { text: 'Hello', html: '<p>Hello</p>' },
        list_id: 'news',
        track_opens: true,
      },
    ],
  });
  let mails: string[] = [];
  await eventually(async () => {
    mails = await api.mailsTo(email);
    return mails.length === 1;
  });
  return mails[0] ?? '';
}

/** What a verifier says that asks the DNS as it is now. */
async function judged(mail: string) {
  const { txt, cname } = openResolver({ servers: [dns.address], tries: 1 });
  const resolver = async (name: string) => {
    const target = await cname(name);
    const answer = await txt(target.ok ? (target.values[0] ?? name) : name);
    return answer.ok ? answer.values.map((value) => [value]) : [];
  };
  const { results } = await dkimVerify(mail, { resolver });
  return results.map(({ selector, status }) => ({
    selector,
    result: status.result,
    aligned: status.aligned,
  }));
}
const passes = (selector: string, aligned: string) => [{ selector, result: 'pass', aligned }];

describe('every mail', () => {
  test('is signed for the domain of its From, with the keys of the service’s zone', async () => {
    await verifiedDomain('signed.example');
    const mail = await mailFrom('signed.example');
    expect(await judged(mail)).toEqual(passes('cs1', 'signed.example'));
    const [, covered = ''] = /\bh=([^;]+);/.exec(mail) ?? [];
    const names = covered.replace(/\s/g, '').split(':');
    expect(names).toEqual(
      expect.arrayContaining(['from', 'list-id', 'list-unsubscribe', 'list-unsubscribe-post', 'message-id']),
    );
    expect(names.filter((name) => name === 'from')).toHaveLength(2);
  });
});

describe('rotating', () => {
  test('signs with the old key until the new one is seen, then with the new one, and breaks no mail on its way', async () => {
    const domain = await verifiedDomain('rotating.example');
    const early = await mailFrom(domain.name);
    expect(await rotate(domain)).toMatchObject({
      status: 200,
      data: {
        domain_id: domain.domain_id,
        status: 'waiting',
        signing_selector: 'cs1._domainkey.rotating.example',
        next_selector: 'cs2._domainkey.rotating.example',
      },
    });

    // The caches have forgotten the old record, but the new one is not published.
    await anHourPasses();
    const waiting = await rotate(domain);
    expect(waiting).toMatchObject({ status: 200, data: { status: 'waiting' } });
    expect(await judged(await mailFrom(domain.name))).toEqual(passes('cs1', domain.name));

    await publishKeys();
    expect(await rotate(domain)).toMatchObject({
      status: 200,
      data: {
        status: 'complete',
        signing_selector: 'cs2._domainkey.rotating.example',
        next_selector: null,
        requested_at: requestedAt(waiting),
      },
    });
    expect(await judged(await mailFrom(domain.name))).toEqual(passes('cs2', domain.name));
    expect(await judged(early)).toEqual(passes('cs1', domain.name));

    const { data: after } = await tenant.client.getDomain({ path: { domain_id: domain.domain_id } });
    expect(after).toMatchObject({ dkim_cname_1: domain.dkim_cname_1, dkim_cname_2: domain.dkim_cname_2 });
  });

  test('waits for the caches even when the new key is seen at once', async () => {
    const domain = await verifiedDomain('caches.example');
    await rotate(domain);
    await publishKeys();
    expect(await rotate(domain)).toMatchObject({ data: { status: 'waiting' } });
    expect(await judged(await mailFrom(domain.name))).toEqual(passes('cs1', domain.name));
    await anHourPasses();
    expect(await rotate(domain)).toMatchObject({ data: { status: 'complete' } });
  });

  test('is refused while the key before may still be needed, and then takes its place', async () => {
    const domain = await verifiedDomain('again.example');
    await rotate(domain);
    await publishKeys();
    await anHourPasses();
    await rotate(domain);
    const soon = await rotate(domain);
    expect(soon).toMatchObject({ status: 409, code: 'DKIM_ROTATED_RECENTLY' });
    expect(soon.errors).toMatchObject([{ description: expect.stringMatching(/rotate again after \d{4}-/) }]);
    const keys = await api.store.zone.dkimKeys();
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(keys.length);
  });

  test('keeps one new key when it is asked for twice at the same moment', async () => {
    const domain = await verifiedDomain('twice.example');
    const answers = await Promise.all([rotate(domain), rotate(domain), rotate(domain)]);
    expect(new Set(answers.map(requestedAt)).size).toBe(1);
    await publishKeys();
    await anHourPasses();
    expect(await rotate(domain)).toMatchObject({ data: { status: 'complete' } });
    expect(await judged(await mailFrom(domain.name))).toEqual(passes('cs2', domain.name));
  });

  test('needs a domain that was verified', async () => {
    const body = { name: 'unverified.example', accounts: [] };
    const { data: domain } = await tenant.client.createDomain({ body });
    expect(await rotate(domain)).toMatchObject({ status: 409, code: 'DKIM_NOT_VERIFIED' });
  });

  test('is done at once where no DNS is asked, and no second time while the old key is of use', async () => {
    expect(await rotate(tenant.domain)).toMatchObject({
      data: { status: 'complete', signing_selector: 'cs2._domainkey.demo.test' },
    });
    await publishKeys();
    zone['cs1._domainkey.demo.test'] = [{ cname: tenant.domain.dkim_cname_1 }];
    zone['cs2._domainkey.demo.test'] = [{ cname: tenant.domain.dkim_cname_2 }];
    expect(await judged(await mailFrom('demo.test'))).toEqual(passes('cs2', 'demo.test'));
    expect(await rotate(tenant.domain)).toMatchObject({ status: 409, code: 'DKIM_ROTATED_RECENTLY' });
  });

  test('ends with its domain', async () => {
    const domain = await verifiedDomain('ended.example');
    await rotate(domain);
    await tenant.client.deleteDomain({ path: { domain_id: domain.domain_id } });
    expect(await api.store.dkim.waiting(domain.domain_id)).toEqual([]);
    expect(await rotate(domain)).toMatchObject({ status: 409, code: 'DOMAIN_NOT_FOUND' });
  });
});
