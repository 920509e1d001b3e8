import { expect, it } from 'vitest';
import { peer } from '../delivery/testing.ts';
import { startApi, type TestApi } from '../testing.ts';
import { SmtpClient } from './testing.ts';

// RFC 5321, 4.5.1 and RFC 2142: what is said to postmaster@ and abuse@, and where their mail goes. A real SMTP server is the relay.

const MAIL = 'From: <desk@example.com>\nSubject: Spam from your host\n\nPlease look.\n';
const HOST = 'mail.example.net';

async function running(settings: Record<string, string>, work: (api: TestApi) => Promise<void>) {
  const api = await startApi(settings);
  try {
    await work(api);
  } finally {
    await api.close();
  }
}

async function post(api: TestApi, to: string | string[], content = MAIL, from = 'desk@example.com') {
  const client = await SmtpClient.to(api.smtpPort);
  try {
    return await client.post([to].flat(), content, from);
  } finally {
    client.socket.destroy();
  }
}

const relaying = (port: number) => ({
  SENDSPEC_DELIVERY: 'relay',
  SENDSPEC_SMTP_URL: `smtp://127.0.0.1:${port}`,
  SENDSPEC_HOST: '127.0.0.1',
  SENDSPEC_MAIL_HOSTNAME: HOST,
});

it('goes on to the mailbox of the people who run the service', async () => {
  const relay = await peer();
  await running({ ...relaying(relay.port), SENDSPEC_POSTMASTER: 'people@example.org' }, async (api) => {
    const { client } = await api.register('customer.example');
    const { data: domain } = await client.createDomain({ body: { name: 'customer.example', accounts: [] } });
    const addresses = [
      'postmaster',
      `Postmaster@${HOST}`,
      `abuse@${HOST.toUpperCase()}`,
      `abuse@bounces.${HOST}`,
      'postmaster@[127.0.0.1]',
      'postmaster@[IPv6:::1]',
      // Bounces of a customer's domain come here, so that its return path is a domain of this server.
      `postmaster@${domain.return_path_hostname}.customer.example`,
    ];
    for (const address of addresses)
      expect([address, await post(api, address)]).toEqual([address, '250 2.0.0 Taken']);
    await expect.poll(() => relay.received.length).toBe(addresses.length);
    for (const { from, to, raw } of relay.received) {
      expect([from, to]).toEqual([`forwards@bounces.${HOST}`, ['people@example.org']]);
      expect(raw).toMatch(
        /^Received: from mx\.example\.com \(\[127\.0\.0\.1\]\)\r\n\tby mail\.example\.net with ESMTP;/,
      );
      expect(raw).toContain('Subject: Spam from your host\r\n\r\nPlease look.\r\n');
    }

    // One mail to both is one mail, and one without a sender (a bounce, a report) is as good as any.
    expect(await post(api, [`postmaster@${HOST}`, `abuse@${HOST}`], MAIL, '')).toMatch(/^250 /);
    await expect.poll(() => relay.received.length).toBe(addresses.length + 1);

    const [first] = relay.received;
    expect(await post(api, `abuse@${HOST}`, first?.raw)).toMatch(/^554 5\.4\.6 /);
    expect(await post(api, `abuse@${HOST}`, `${'Received: from x by y; now\n'.repeat(25)}${MAIL}`)).toMatch(
      /^554 5\.4\.6 /,
    );
    expect(await post(api, `abuse@${HOST}`, `${MAIL}${`${'x'.repeat(70)}\n`.repeat(20_000)}`)).toMatch(
      /^552 5\.3\.4 /,
    );
    for (const other of ['postmaster@example.com', 'abuse@customer.example', 'abuse'])
      expect([other, await post(api, other)]).toEqual([other, expect.stringMatching(/^5/)]);

    // One network cannot fill the mailbox.
    const replies = new Set<string>();
    for (let mail = 0; mail < 30; mail += 1) replies.add((await post(api, `abuse@${HOST}`)).slice(0, 9));
    expect([...replies]).toEqual(['250 2.0.0', '451 4.7.1']);
  });
});

it('is refused, in words, where nobody has been named', async () => {
  await running(relaying(9), async (api) => {
    for (const address of ['postmaster', `abuse@${HOST}`, 'postmaster@[127.0.0.1]'])
      expect(await post(api, address)).toBe('550 5.1.1 Nobody has been named to read this mail');
  });
});

it('is captured in the sandbox, as all mail is', async () => {
  await running({}, async (api) => {
    expect(await post(api, 'abuse@mail.sendspec.test')).toMatch(/^250 /);
    expect(await api.mailsTo('abuse@mail.sendspec.test')).toHaveLength(1);
  });
  await running({ SENDSPEC_POSTMASTER: 'people@example.org' }, async (api) => {
    expect(await post(api, 'abuse@mail.sendspec.test')).toMatch(/^250 /);
    await expect.poll(() => api.mailsTo('people@example.org')).toHaveLength(1);
  });
});
