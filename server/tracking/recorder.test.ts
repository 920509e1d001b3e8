import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import type { MessageEvent } from '../domain/events.ts';
import { createRecorder, type RecorderOptions } from './recorder.ts';

const MESSAGE = randomUUIDv7();

function open(messageId = randomUUIDv7()): MessageEvent {
  const visit = { userAgent: '', userIp: '', automated: false };
  return {
    eventId: randomUUIDv7(),
    messageId,
    receivedAt: '2026-01-01T00:00:00.000000+00:00',
    type: 'open',
    ...visit,
  };
}

/** A recorder over a database that fails as often as it is told to, and then keeps what it is given. */
function recorderOver(
  write: (events: readonly MessageEvent[]) => Promise<void>,
  change: Partial<RecorderOptions> = {},
) {
  const kept: string[] = [];
  const batches: number[] = [];
  const faults: string[] = [];
  const recorder = createRecorder({
    store: {
      recordEvents: async (events) => {
        batches.push(events.length);
        await write(events);
        kept.push(...events.map(({ eventId }) => eventId));
        return { recorded: [], notifications: 0 };
      },
    },
    fault: (what) => faults.push(what),
    faultPauseMs: 1,
    ...change,
  });
  return { recorder, kept, batches, faults };
}

test('what comes while a batch is written makes the next one', async () => {
  const gate = Promise.withResolvers<void>();
  const { recorder, kept, batches } = recorderOver(() => gate.promise);
  const events = Array.from({ length: 1_200 }, () => open());
  recorder.add(events[0] ?? open());
  await expect.poll(() => batches).toEqual([1]);
  for (const event of events.slice(1)) recorder.add(event);
  gate.resolve();
  await recorder.stop(10_000);
  expect(batches).toEqual([1, 500, 500, 199]);
  expect(kept).toEqual(events.map(({ eventId }) => eventId));
});

test('while the database is away everything is kept, and written once it is back', async () => {
  let failures = 5;
  const { recorder, kept, faults } = recorderOver(async () => {
    if (failures-- > 0) throw new Error('the database is away');
  });
  const events = Array.from({ length: 40 }, () => open());
  for (const event of events) recorder.add(event);
  await expect.poll(() => kept).toHaveLength(40);
  expect(new Set(kept)).toEqual(new Set(events.map(({ eventId }) => eventId)));
  expect(faults).toHaveLength(5);
  await recorder.stop(1_000);
});

test('an event that can never be written holds up no other', async () => {
  const poison = open();
  const { recorder, kept } = recorderOver(async (events) => {
    if (events.includes(poison)) throw new Error('this one cannot be');
  });
  const events = Array.from({ length: 20 }, () => open());
  for (const event of [...events.slice(0, 10), poison, ...events.slice(10)]) recorder.add(event);
  await expect.poll(() => kept.length).toBe(20);
  expect(kept).not.toContain(poison.eventId);
  await recorder.stop(1);
});

test('an orderly stop waits for the database, and says what is lost without it', async () => {
  let isAway = true;
  const away = async () => {
    if (isAway) throw new Error('the database is away');
  };
  const patient = recorderOver(away, { faultPauseMs: 600_000 });
  patient.recorder.add(open());
  await expect.poll(() => patient.faults).toHaveLength(1);
  isAway = false;
  await patient.recorder.stop(600_000);
  expect(patient.kept).toHaveLength(1);
  isAway = true;
  const hopeless = recorderOver(away);
  hopeless.recorder.add(open());
  await hopeless.recorder.stop(1);
  expect(hopeless.faults.at(-1)).toBe('1 visits are lost: the database was away until the end.');
});

test('what waits is bounded, and it is said once', async () => {
  const gate = Promise.withResolvers<void>();
  const { recorder, kept, faults } = recorderOver(() => gate.promise, { mostWaiting: 10 });
  for (let count = 0; count < 50; count++) recorder.add(open());
  gate.resolve();
  await recorder.stop(1_000);
  expect(kept).toHaveLength(10);
  expect(faults).toEqual(['10 visits wait for the database; further ones are lost.']);
});

test('one message has a hundred events a minute, whatever the others have', async () => {
  let nowMs = 0;
  const { recorder, kept } = recorderOver(async () => {}, { nowMs: () => nowMs });
  for (let count = 0; count < 150; count++) recorder.add(open(MESSAGE));
  recorder.add(open());
  nowMs = 60_000;
  recorder.add(open(MESSAGE));
  await recorder.stop(1_000);
  expect(kept).toHaveLength(102);
});
