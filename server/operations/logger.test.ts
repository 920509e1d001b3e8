import { expect, test } from 'vitest';
import { createLogger, type LogLevel } from './logger.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void, level: LogLevel = 'info'): string {
  const lines: string[] = [];
  write(createLogger(level, { write: (line) => lines.push(line) }));
  for (const line of lines) JSON.parse(line);
  return lines.join('');
}

test('each entry is one line of JSON with time, level and message', () => {
  const entry = JSON.parse(logged((log) => log.info({ port: 8443 }, 'listening')));
  expect(entry).toMatchObject({ level: 'info', port: 8443, msg: 'listening' });
  expect(Number.isNaN(Date.parse(entry.time))).toBe(false);
});

test('entries below the level are left out', () => {
  expect(logged((log) => log.info('hello'), 'warn')).toBe('');
});

test.each([
  ['a header', { headers: { authorization: 'Basic c2VjcmV0' } }],
  ['a header in other case', { req: { headers: { Authorization: 'c2VjcmV0' } } }],
  ['a password deep inside', { a: { b: [{ c: { password: 'c2VjcmV0' } }] } }],
  ['a token', { refresh_token: 'c2VjcmV0' }],
  ['a key', { apiKey: 'c2VjcmV0' }],
  ['a mail body', { message: { body: { html: '<p>c2VjcmV0</p>' } } }],
  ['a raw mail', { raw: 'Subject: c2VjcmV0' }],
  ['a token in a text', { note: 'login with ss_at_c2VjcmV0 failed' }],
  ['a header in a text', { note: 'sent Authorization: Bearer c2VjcmV0c2VjcmV0' }],
  ['credentials in a URL', { note: 'cannot reach postgres://app:c2VjcmV0@db/mail' }],
  ['a private key', { note: '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----' }],
  ['bytes', { note: Buffer.from('c2VjcmV0') }],
])('%s is hidden', (_name, entry) => {
  const line = logged((log) => log.info(entry, 'request'));
  expect(line).not.toContain('c2VjcmV0');
  expect(line).not.toContain(String(Buffer.from('c2VjcmV0').toJSON().data));
});

test('secrets are hidden in the message, its parameters and child loggers', () => {
  const line = logged((log) => {
    log.info('key ss_key_c2VjcmV0 used');
    log.info('key %s used', 'ss_key_c2VjcmV0');
    log.child({ password: 'c2VjcmV0' }).info('child');
  });
  expect(line).not.toContain('c2VjcmV0');
  expect(line.trim().split('\n')).toHaveLength(3);
});

test('an error is logged with its causes, without what drivers put on it', () => {
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'c2VjcmV0',
    parameters: ['c2VjcmV0'],
  });
  const line = logged((log) => log.error(new Error('insert failed', { cause })));
  expect(line).not.toContain('c2VjcmV0');
  expect(JSON.parse(line).err).toMatchObject({
    type: 'Error',
    message: 'insert failed',
    cause: { message: 'duplicate key', code: '23505' },
  });
  expect(JSON.parse(line).err.stack).toContain('logger.test.ts');
});

test('hostile values neither flood nor break the log', () => {
  const endless: Record<string, unknown> = {};
  endless.self = endless;
  const polluted: unknown = JSON.parse('{"__proto__": {"admin": true}}');
  const line = logged((log) => {
    log.info({ endless, polluted, many: new Array(100_000).fill('x'), long: 'y'.repeat(1_000_000) }, 'odd');
    log.info({ big: 12n, nothing: null, at: new Date(0), forged: 'a\n{"level":"info"}' }, 'odd');
  });
  expect(line.length).toBeLessThan(10_000);
  expect(line.trim().split('\n')).toHaveLength(2);
});
