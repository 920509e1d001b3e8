import { expect, it } from 'vitest';
import { Batcher } from './batcher.ts';

it('writes what is added together in one batch, and what comes meanwhile in the next', async () => {
  const batches: number[][] = [];
  let added: Promise<void>[] = [];
  const batcher = new Batcher<number>(async (items) => {
    batches.push(items);
    if (batches.length === 1) added = [3, 4, 5].map((item) => batcher.add(item));
  }, 10);
  await Promise.all([1, 2].map((item) => batcher.add(item)));
  await Promise.all(added);
  expect(batches).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
});

it('never writes two batches at once, nor one that is too large', async () => {
  let running = 0;
  const sizes: number[] = [];
  const batcher = new Batcher<number>(async (items) => {
    running += 1;
    expect(running).toBe(1);
    sizes.push(items.length);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  }, 3);
  await Promise.all(Array.from({ length: 8 }, (_, i) => batcher.add(i)));
  expect(sizes).toEqual([3, 3, 2]);
});

it('lets only those items fail that fail alone', async () => {
  const written: number[] = [];
  const batcher = new Batcher<number>(async (items) => {
    if (items.includes(2)) throw new Error('two');
    written.push(...items);
  }, 10);
  const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(written).toEqual([1, 3]);
  await batcher.add(4);
  expect(written).toEqual([1, 3, 4]);
});
