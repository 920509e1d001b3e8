import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageOfReturnPath, returnPathOf } from './return-path.ts';
import { messageOfUnsubscribeAddress, unsubscribeAddressOf } from './unsubscribe-address.ts';

const KEY = 'the key of this installation';
const ID = '0199d3a5-3f2b-7c11-9a2e-6b1f0c2d4e5f';

function returnPath(messageId: string, key = KEY): string {
  return returnPathOf({ messageId, returnPathHostname: 'cs-bounces', domainName: 'demo.test' }, key);
}

function unsubscribeAddress(messageId: string, key = KEY): string {
  return unsubscribeAddressOf(messageId, 'mail.sendspec.test', key);
}

const uuids = fc.uuid();
const addresses = [
  { name: 'return path', make: returnPath, read: messageOfReturnPath },
  { name: 'unsubscribe address', make: unsubscribeAddress, read: messageOfUnsubscribeAddress },
];

describe.each(addresses)('the $name', ({ make, read }) => {
  it('names its message, whatever a server did to its case and host', () => {
    fc.assert(
      fc.property(uuids, fc.domain(), fc.boolean(), (messageId, host, upper) => {
        const [local = ''] = make(messageId).split('@');
        const address = `${upper ? local.toUpperCase() : local}@${host}`;
        expect(read(address, KEY)).toBe(messageId);
      }),
    );
  });

  it('fits into a local part', () => {
    expect(make(ID).indexOf('@')).toBeLessThanOrEqual(64);
  });

  it('is worth nothing with another key', () => {
    fc.assert(
      fc.property(uuids, fc.string(), (messageId, key) => {
        fc.pre(key !== KEY);
        expect(read(make(messageId, key), KEY)).toBeUndefined();
      }),
    );
  });

  it('is worth nothing when any one character of its local part is another', () => {
    const local = make(ID).split('@')[0] ?? '';
    fc.assert(
      fc.property(fc.nat(local.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
        fc.pre(local[at] !== character.toLowerCase());
        const forged = `${local.slice(0, at)}${character}${local.slice(at + 1)}@bounces.mail.sendspec.test`;
        expect(read(forged, KEY)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('is worth nothing for another message, cut, or with anything around it', () => {
    const address = make(ID);
    fc.assert(
      fc.property(uuids, fc.nat(62), fc.string({ minLength: 1 }), (other, length, rest) => {
        fc.pre(other !== ID);
        expect(read(address.replace(ID, other), KEY)).toBeUndefined();
        expect(read(`${address.slice(0, length)}@demo.test`, KEY)).toBeUndefined();
        expect(read(rest + address, KEY)).toBeUndefined();
        const [local, host] = address.split('@');
        expect(read(`${local}${rest}@${host}`, KEY)).toBe(rest.startsWith('@') ? ID : undefined);
      }),
    );
  });

  it('is not any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(read(text, KEY)).toBeUndefined();
      }),
    );
  });
});

it('keeps the purposes apart: no HMAC of one is genuine for the other', () => {
  const messageId = randomUUID();
  expect(messageOfReturnPath(unsubscribeAddress(messageId), KEY)).toBeUndefined();
  expect(messageOfUnsubscribeAddress(returnPath(messageId), KEY)).toBeUndefined();
  expect(messageOfReturnPath(unsubscribeAddress(messageId).replace(/^u/, 'b'), KEY)).toBeUndefined();
  expect(messageOfUnsubscribeAddress(returnPath(messageId).replace(/^b/, 'u'), KEY)).toBeUndefined();
});
