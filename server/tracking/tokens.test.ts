import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clickPath, openPath, readTrackingPath, unsubscribePath } from './tokens.ts';

const KEY = 'a key of the test';
const ID = '0198c5d0-1111-7222-8333-444455556666';
const OTHER = '0198c5d1-1111-7222-8333-444455556666';
const URL_A = 'https://shop.demo.test/a?x=1&y=ž#part';
const URL_B = 'https://evil.example/';

const uuid = fc.constant(undefined).map(() => randomUUIDv7());

test('what was made is read back', () => {
  fc.assert(
    fc.property(uuid, fc.webUrl({ withQueryParameters: true }), (messageId, destination) => {
      expect(readTrackingPath(openPath(messageId, KEY), KEY)).toEqual({ kind: 'open', messageId });
      expect(readTrackingPath(unsubscribePath(messageId, KEY), KEY)).toEqual({
        kind: 'unsubscribe',
        messageId,
      });
      expect(readTrackingPath(clickPath(messageId, destination, KEY), KEY)).toEqual({
        kind: 'click',
        messageId,
        destination,
      });
    }),
  );
  expect(readTrackingPath(clickPath(ID, URL_A, KEY), KEY)).toMatchObject({ destination: URL_A });
});

test('a path needs no escaping, and is short', () => {
  expect(openPath(ID, KEY)).toMatch(/^\/o\/[\w-]{43}$/);
  expect(unsubscribePath(ID, KEY)).toMatch(/^\/u\/[\w-]{43}$/);
  expect(clickPath(ID, URL_A, KEY)).toMatch(/^\/c\/[\w-]{43}\/[\w-]+$/);
});

const tokenOf = (path: string) => path.split('/')[2] ?? '';
const destinationOf = (path: string) => path.split('/')[3] ?? '';

test.each([
  ['another key', openPath(ID, 'another key')],
  ['a click under another key', clickPath(ID, URL_A, 'another key')],
  [
    "another destination's token",
    `/c/${tokenOf(clickPath(ID, URL_A, KEY))}/${destinationOf(clickPath(ID, URL_B, KEY))}`,
  ],
  [
    "another message's id before its HMAC",
    `/o/${tokenOf(openPath(OTHER, KEY)).slice(0, 21)}${tokenOf(openPath(ID, KEY)).slice(21)}`,
  ],
  ['a pixel for unsubscribing', `/u/${tokenOf(openPath(ID, KEY))}`],
  ['unsubscribing for a pixel', `/o/${tokenOf(unsubscribePath(ID, KEY))}`],
  ['a pixel as a link', `/c/${tokenOf(openPath(ID, KEY))}/${destinationOf(clickPath(ID, URL_B, KEY))}`],
  ['a link without a destination', `/c/${tokenOf(clickPath(ID, URL_A, KEY))}`],
  ['a link with an empty destination', `/c/${tokenOf(clickPath(ID, URL_A, KEY))}/`],
  ['a pixel with a destination', `${openPath(ID, KEY)}/${destinationOf(clickPath(ID, URL_A, KEY))}`],
  ['a destination in the clear', `/c/${tokenOf(clickPath(ID, URL_A, KEY))}/${URL_B}`],
  ['upper case', openPath(ID, KEY).toUpperCase()],
  ['padding', `${openPath(ID, KEY)}=`],
  ['an unknown letter', openPath(ID, KEY).replace('/o/', '/x/')],
  ['a name of every object', openPath(ID, KEY).replace('/o/', '/constructor/')],
  ['nothing', '/'],
  ['no path', ''],
])('it is not genuine: %s', (_name, path) => {
  expect(readTrackingPath(path, KEY)).toBeUndefined();
});

test('a changed, shortened or lengthened path is not genuine', () => {
  const genuine = fc.constantFrom(openPath(ID, KEY), unsubscribePath(ID, KEY), clickPath(ID, URL_A, KEY));
  const change = fc.oneof(
    fc.record({ at: fc.nat(), put: fc.string({ maxLength: 3, unit: 'binary-ascii' }), cut: fc.nat(4) }),
    fc.record({
      at: fc.nat(),
      put: fc.constantFrom('A', 'Z', '_', '-', '0', '/', '.', '%41'),
      cut: fc.nat(1),
    }),
  );
  fc.assert(
    fc.property(genuine, change, (path, { at, put, cut }) => {
      const place = at % (path.length + 1);
      const forged = path.slice(0, place) + put + path.slice(place + cut);
      fc.pre(forged !== path);
      expect(readTrackingPath(forged, KEY)).toBeUndefined();
    }),
    { numRuns: 5_000 },
  );
});

test('no second spelling of a genuine path is taken', () => {
  const path = clickPath(ID, 'https://a.test/ab', KEY);
  const last = path.at(-1) ?? '';
  const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .filter((letter) => letter !== last)
    .flatMap((letter) => [path.slice(0, -1) + letter, path + letter]);
  for (const spelling of spellings) expect(readTrackingPath(spelling, KEY)).toBeUndefined();
});

test('whatever else comes is not genuine, and does no harm', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (path) => {
      expect(readTrackingPath(path, KEY)).toBeUndefined();
      expect(readTrackingPath(`/c/${path}`, KEY)).toBeUndefined();
    }),
  );
});
