import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HUGE } from '../testing.ts';
import { bodyMarkup, laidOut } from './json.ts';

test('JSON is laid out, with every token as it came', () => {
  const text = '{"a":[1.0,{"b":1e400,"b":12345678901234567890}],"c":{},"d":[],"e":"x:{,\\"y"}';
  expect(laidOut(text)).toBe(
    [
      '{',
      '  "a": [',
      '    1.0,',
      '    {',
      '      "b": 1e400,',
      '      "b": 12345678901234567890',
      '    }',
      '  ],',
      '  "c": {},',
      '  "d": [],',
      '  "e": "x:{,\\"y"',
      '}',
    ].join('\n'),
  );
});

test('laying out changes no value', () => {
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (value) => {
      expect(laidOut(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('what is no JSON stays as it is', () => {
  expect(laidOut('<html>')).toBeUndefined();
  expect(laidOut('{"a":')).toBeUndefined();
  expect(bodyMarkup('{"a":<b>').shown.text).toBe('{&quot;a&quot;:&lt;b&gt;');
});

test('names, strings and literals are told apart', () => {
  expect(bodyMarkup('{"a":"<b>","c":-1}').shown.text).toBe(
    [
      '{',
      '  <span class="json-name">&quot;a&quot;</span>: <span class="json-string">&quot;&lt;b&gt;&quot;</span>,',
      '  <span class="json-name">&quot;c&quot;</span>: <span class="json-literal">-1</span>',
      '}',
    ].join('\n'),
  );
});

test('a long body is cut, with a note', () => {
  expect([bodyMarkup(HUGE).isCut, bodyMarkup('{}').isCut]).toEqual([true, false]);
  expect(bodyMarkup(HUGE).shown.text).toMatch(/x\n\[cut here: 1048587 characters in all\]$/);
  const many = JSON.stringify(Array.from({ length: 30_000 }, (_, index) => index));
  expect(bodyMarkup(many).shown.text).toMatch(/\[cut here: /);
  expect(bodyMarkup(many).shown.text.length).toBeLessThan(200_000);
});
