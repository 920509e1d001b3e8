import { expect, test } from 'vitest';
import { createProgress, type Progress } from './progress.ts';

/** A progress that writes into a text, at a time that the test tells. */
function recorded(stream: { isTTY?: boolean; columns?: number }): {
  progress: Progress;
  clock: { now: number };
  take: () => string;
} {
  const clock = { now: 0 };
  let written = '';
  const write = (text: string): void => {
    written += text;
  };
  const take = (): string => {
    const text = written;
    written = '';
    return text;
  };
  return { progress: createProgress({ ...stream, write }, () => clock.now), clock, take };
}

test('a terminal shows one line that changes, not too often, and is left clean', () => {
  const { progress, clock, take } = recorded({ isTTY: true, columns: 80 });
  let requests = 0;
  progress.start(3, () => requests);
  expect(take()).toBe('\r\u001b[2K0/3 checks, 0 requests');
  requests = 1234;
  progress.checkEnded('accounts/a', 'passed');
  expect(take()).toBe('');
  clock.now = 100;
  progress.waiting(1.2);
  expect(take()).toBe('\r\u001b[2K1/3 checks, 1,234 requests, waiting 2 s for the rate limit');
  progress.checkEnded('accounts/b', 'failed');
  expect(take()).toBe('\r\u001b[2Kfailed: accounts/b\n\r\u001b[2K2/3 checks, 1,234 requests, 1 failed');
  progress.checkEnded('accounts/c', 'untested');
  expect(take()).toBe('\r\u001b[2K3/3 checks, 1,234 requests, 1 failed');
  progress.stop();
  progress.stop();
  expect(take()).toBe('\r\u001b[2K');
});

test('a narrow terminal is not wrapped', () => {
  const { progress, take } = recorded({ isTTY: true, columns: 12 });
  progress.start(300, () => 1);
  expect(take()).toBe('\r\u001b[2K0/300 check');
});

test('a log gets whole lines, seldom, and no control characters', () => {
  const { progress, clock, take } = recorded({});
  progress.start(4, () => 7);
  progress.checkEnded('a/1', 'passed');
  progress.checkEnded('a/2', 'error');
  clock.now = 10_000;
  progress.checkEnded('a/3', 'passed');
  progress.checkEnded('a/4', 'passed');
  progress.stop();
  expect(take()).toBe(
    [
      '0/4 checks, 7 requests',
      'suite error: a/2',
      '3/4 checks, 7 requests, 1 failed',
      '4/4 checks, 7 requests, 1 failed',
      '',
    ].join('\n'),
  );
});
