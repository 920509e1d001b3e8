import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOf } from './curl.ts';

const REQUEST = { method: 'POST', url: 'https://mail.example.com/v1/accounts', headers: {}, body: null };

/** The words that a shell makes of the command. */
function words(command: string): string[] {
  const script = `set -- ${command.replace(/^curl/, '')}; for word in "$@"; do printf '%s\\0' "$word"; done`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('the command sends what was sent', () => {
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': '12',
    authorization: 'Bearer [redacted]',
  };
  const body = '{"name":"it\'s $(touch /tmp/x) `x` \\"é\\" 🎉"}\n';
  expect(words(curlOf({ ...REQUEST, headers, body }))).toEqual([
    '--globoff',
    '--include',
    '--request',
    'POST',
    'https://mail.example.com/v1/accounts',
    '--header',
    'Content-Type: application/json',
    '--header',
    'authorization: Bearer [redacted]',
    '--data-raw',
    body,
  ]);
});

test('nothing in a request is run by the shell, what cannot be seen included', () => {
  const url = "https://mail.example.com/v1/x?a=';id;'&b=\u001b[31m";
  const body = "'\\'\u0007; $(id) \\u0041\\";
  expect(words(curlOf({ ...REQUEST, url, body })).slice(4)).toEqual([url, '--data-raw', body]);
});

test('a long body comes from a file', () => {
  expect(words(curlOf({ ...REQUEST, body: 'x'.repeat(5000) })).slice(-2)).toEqual(['--data-binary', '@body']);
});
