import { type Answer, type Call, readParameters } from './call.ts';
import { integer, optional, type Rule } from './validate.ts';

/** The areas that have a list, as their faults are named. */
export type ListName =
  | 'accounts'
  | 'domains'
  | 'suppressions'
  | 'messages'
  | 'events'
  | 'users'
  | 'api-keys'
  | 'webhook-operations'
  | 'webhook-log';

const LARGEST_PAGE = 1000;
const SMALLER_PAGE = 50;
const DEFAULT_PAGE = 30;
const LARGEST_OFFSET = 2147483647;

/** The rules for `limit` and `offset`. */
export function pageParameters({ world }: Call): {
  limit: Rule<number | undefined>;
  offset: Rule<number | undefined>;
} {
  const largest = world.varies('page-refused-above-50') ? SMALLER_PAGE : LARGEST_PAGE;
  const smallest = world.has('lists.limit-zero-accepted') ? 0 : 1;
  return { limit: optional(integer(smallest, largest)), offset: optional(integer(0, LARGEST_OFFSET)) };
}

/** One page of what is given oldest first: newest first, with the whole number in `meta`. */
export function page<T>(
  call: Call,
  name: ListName,
  items: readonly T[],
  show: (item: T) => unknown,
  allOf: readonly T[] = items,
): Answer {
  const { world } = call;
  const given = readParameters(call, pageParameters(call));
  const asked = given.limit ?? DEFAULT_PAGE;
  const limit = world.varies('page-clamped-at-50') ? Math.min(asked, SMALLER_PAGE) : asked;
  const offset = given.offset ?? 0;
  if (offset > LARGEST_OFFSET / 2 && world.has('http.large-offset-is-500'))
    throw new Error('The offset is out of range.');
  const start = world.has(`${name}.offset-ignored`)
    ? 0
    : world.has(`${name}.offset-from-one`)
      ? Math.max(offset - 1, 0)
      : offset;
  const size = world.has(`${name}.limit-ignored`)
    ? LARGEST_PAGE
    : world.has('lists.page-one-short') && limit > 1
      ? limit - 1
      : limit;
  const data = inOrder(call, name, items)
    .slice(start, start + size)
    .map(show);
  const total = world.has(`${name}.total-of-page`)
    ? data.length
    : world.has('lists.total-ignores-filters')
      ? allOf.length
      : items.length;
  return { status: 200, body: { data, meta: { limit, offset, total } } };
}

function inOrder<T>({ world }: Call, name: ListName, items: readonly T[]): T[] {
  if (world.has(`${name}.oldest-first`)) return [...items];
  const newestFirst = items.toReversed();
  // Another order for every request.
  if (world.has('lists.unstable-order')) return newestFirst.sort(() => Math.random() - 0.5);
  return newestFirst;
}
