import { expect, test } from 'vitest';
import { clipped, counted, oneLine, seconds, shortened, visible } from './text.ts';

test('what cannot be seen is written out', () => {
  expect(visible('a\0b\u001b[31m\r\n\tz')).toBe('a\\u0000b\\u001b[31m\\u000d\n\tz');
  expect(visible('\u0085\u009b\u007f')).toBe('\\u0085\\u009b\\u007f');
  expect(visible('user\u202egnp.exe \u2066x\u2069 \ufeff\u200b')).toBe(
    'user\\u202egnp.exe \\u2066x\\u2069 \\ufeff\\u200b',
  );
  expect(visible('\ud800 \udc00x \uffff \u{1fffe}')).toBe('\\ud800 \\udc00x \\uffff \\u{1fffe}');
});

test('what can be seen stays', () => {
  const text = 'Grüße, 東京 🎉 ]]> </script> <b>&amp;</b> "\'';
  expect(visible(text)).toBe(text);
});

test('one line is one line', () => {
  expect(oneLine(' a\n\tb\r\nc ')).toBe('a b\\u000d c');
});

test('a long text is cut with a note, and no character is torn', () => {
  expect(clipped('abc', 3)).toBe('abc');
  expect(clipped('abcdef', 3)).toBe('abc\n[cut here: 6 characters in all]');
  expect(clipped('ab🎉cd', 3)).toBe('ab\n[cut here: 6 characters in all]');
  expect(clipped('ab🎉cd', 4)).toBe('ab🎉\n[cut here: 6 characters in all]');
  expect(shortened('abcdef', 4)).toBe('abc…');
  expect(shortened('abcd', 4)).toBe('abcd');
});

test('numbers are written for people', () => {
  expect([counted(1, 'request'), counted(1234, 'request')]).toEqual(['1 request', '1,234 requests']);
  expect([seconds(0), seconds(340), seconds(61_400)]).toEqual(['0.0 s', '0.3 s', '61 s']);
});
