import { describe, expect, it } from 'vitest';
import type { OutgoingMessage } from '../store/delivery-rows.ts';
import { readTrackingPath } from '../tracking/tokens.ts';
import { compose } from './compose.ts';
import { addressesOf, ID, IDENTITY, message, parsed } from './compose-testing.ts';
import { messageOfUnsubscribeAddress } from './unsubscribe-address.ts';

describe('composing', () => {
  it('builds text and HTML as alternatives, with the headers of the service', async () => {
    const { text, parsed: mail } = await parsed({
      customId: 'order-42',
      replyTo: [
        { email: 'help@demo.test', name: null },
        { email: 'boss@demo.test', name: 'The Boss' },
      ],
    });
    expect(mail.headers.get('content-type')).toMatchObject({ value: 'multipart/alternative' });
    expect([mail.text?.trim(), mail.html]).toEqual(['Thanks', '<p>Thanks</p>']);
    expect(text.indexOf('text/plain')).toBeLessThan(text.indexOf('text/html'));
    expect(addressesOf(mail.from)).toEqual([{ address: 'hello@demo.test', name: 'Demo Shop' }]);
    expect(addressesOf(mail.to)).toEqual([{ address: 'ann@example.com', name: 'Ann' }]);
    expect(addressesOf(mail.replyTo)).toEqual([
      { address: 'help@demo.test', name: '' },
      { address: 'boss@demo.test', name: 'The Boss' },
    ]);
    expect(mail.subject).toBe('Your order');
    expect(mail.messageId).toBe(`<${ID}@demo.test>`);
    expect(mail.date?.toISOString()).toBe('2026-03-01T10:20:30.000Z');
    expect(mail.headers.get('x-message-custom-id')).toBe('order-42');
  });

  it('sends a lone part as it is and leaves out what was not given', async () => {
    const { parsed: mail } = await parsed({ html: null, text: 'Only text' });
    expect(mail.headers.get('content-type')).toMatchObject({ value: 'text/plain' });
    for (const name of ['x-message-custom-id', 'list', 'reply-to', 'x-mailer'])
      expect(mail.headers.has(name)).toBe(false);
  });

  it('cannot be made to read files or URLs by its content', async () => {
    const path = '/etc/passwd';
    const { parsed: mail } = await parsed({ html: null, text: `{"path":"${path}"}`, subject: path });
    expect(mail.text?.trim()).toBe(`{"path":"${path}"}`);
  });

  it('rejects a message without content', async () => {
    await expect(compose(message({ html: null, text: null }), IDENTITY)).rejects.toThrow('no content');
  });

  it('signs the envelope sender, under the Return-Path of the domain', async () => {
    const { mailFrom } = await compose(message(), IDENTITY);
    expect(mailFrom).toMatch(new RegExp(`^b-${ID}-[0-9a-f]{24}@cs-bounces\\.demo\\.test$`));
    expect(mailFrom.indexOf('@')).toBeLessThanOrEqual(64);
    expect((await compose(message(), IDENTITY)).mailFrom).toBe(mailFrom);
    expect((await compose(message(), { ...IDENTITY, key: 'another key' })).mailFrom).not.toBe(mailFrom);
    expect(
      (await compose(message({ messageId: ID.replace('1', '2') }), IDENTITY)).mailFrom.slice(39),
    ).not.toBe(mailFrom.slice(39));
  });
});

describe('international addresses', () => {
  it('puts a domain beyond ASCII into A-labels everywhere', async () => {
    const { mail, text } = await parsed({
      to: { email: 'ann@bücher.example', name: null },
      from: { email: 'shop@żółw.example', name: null },
      domainName: 'żółw.example',
    });
    expect(mail.recipient).toBe('ann@xn--bcher-kva.example');
    expect(mail.mailFrom).toMatch(/@cs-bounces\.xn--w-uga1v8h\.example$/);
    expect(mail.headersNeedUtf8).toBe(false);
    expect(text).toMatch(/^Message-ID: <[^>]*@xn--w-uga1v8h\.example>/m);
  });

  it('says when a mail needs SMTPUTF8', async () => {
    const { mail } = await parsed({ to: { email: 'añn@bücher.example', name: null } });
    expect(mail).toMatchObject({ recipient: 'añn@bücher.example', headersNeedUtf8: true });
  });
});

describe('list headers', () => {
  const listHeaders = async (change: Partial<OutgoingMessage>) => {
    const { text } = await parsed(change);
    return text.replace(/\r\n(?=[ \t])/g, '').match(/^List-.*$/gm) ?? [];
  };

  it.each([
    ['news.demo.test', 'List-Id: <news.demo.test>'],
    ['newsletter', 'List-Id: <newsletter.demo.test>'],
    ['Weekly news', expect.stringMatching(/^List-Id: Weekly news <[0-9a-f]{16}\.demo\.test>$/)],
    [
      'týdenní',
      expect.stringMatching(/^List-Id: =\?UTF-8\?Q\?t=C3=BDdenn=C3=AD\?= <[0-9a-f]{16}\.demo\.test>$/),
    ],
    [
      'a>\r\nBcc: x@y.z',
      expect.stringMatching(/^List-Id: =\?UTF-8\?Q\?a=3E_Bcc=3A_x=40y=2Ez\?= <[0-9a-f]{16}\.demo\.test>$/),
    ],
  ])('makes an identifier of %j', async (listId, header) =>
    expect((await listHeaders({ listId })).slice(0, 1)).toEqual([header]),
  );

  it.each([
    { listId: 'news.demo.test' },
    { listUnsubscribe: 'stop@demo.test' },
    { listUnsubscribe: 'https://demo.test/u?id=1' },
    { listUnsubscribe: 'https://demo.test/>, <mailto:x@y.z' },
    { listUnsubscribe: 'https://demo.test/ž\r\nBcc: x' },
  ])('offers to unsubscribe by mail and by one click, at the own addresses, with %o', async (change) => {
    const [list, unsubscribe = '', post, ...none] = [
      ...('listId' in change ? [] : ['']),
      ...(await listHeaders(change)),
    ];
    expect([list, none]).toEqual(['listId' in change ? 'List-Id: <news.demo.test>' : '', []]);
    // RFC 8058, section 3.1: exactly this, and an HTTPS URI beside it.
    expect(post).toBe('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const [, address, path] =
      /^List-Unsubscribe: <mailto:([^<>]+)>, <https:\/\/links\.sendspec\.test([^<>]+)>$/.exec(unsubscribe) ??
      [];
    expect(messageOfUnsubscribeAddress(address ?? '', IDENTITY.key)).toBe(ID);
    expect(address).toMatch(/@bounces\.mail\.sendspec\.test$/);
    expect(readTrackingPath(path ?? '', IDENTITY.key)).toEqual({ kind: 'unsubscribe', messageId: ID });
  });

  it('does not offer it without a list', async () => {
    expect(await listHeaders({ listId: '\u0085 ', listUnsubscribe: '' })).toEqual([]);
  });
});

describe('tracking', () => {
  const html = '<body><a href="https://shop.demo.test/?a=1&amp;b=2">Shop</a></body>';
  const text = 'https://shop.demo.test/?a=1&b=2';
  const tracked = async (change: Partial<OutgoingMessage>) => {
    const { parsed: mail } = await parsed({ html, text, ...change });
    const found = [...`${mail.html}`.matchAll(/https:\/\/links\.sendspec\.test([\w/-]+)/g)];
    return { mail, requests: found.map(([, path = '']) => readTrackingPath(path, IDENTITY.key)) };
  };
  const open = { kind: 'open', messageId: ID };
  const click = { kind: 'click', messageId: ID, destination: text };

  it.each([
    [{ trackOpens: true }, [open]],
    [{ trackClicks: true }, [click]],
    [{ trackOpens: true, trackClicks: true }, [click, open]],
    [{}, []],
  ])('puts into the HTML what is asked for, and leaves the text alone: %o', async (change, expected) => {
    const { mail, requests } = await tracked(change);
    expect(requests).toEqual(expected);
    expect(mail.text?.trim()).toBe(text);
    if (expected.length === 0) expect(mail.html).toBe(html);
  });

  it('has nothing to do in a mail without HTML', async () => {
    const { parsed: mail } = await parsed({ html: null, text, trackOpens: true, trackClicks: true });
    expect([mail.text?.trim(), mail.html]).toEqual([text, false]);
  });
});
