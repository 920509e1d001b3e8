// Servers may write the same moment with other offsets and with any number of digits: two timestamps agree when they do as far as the
// coarser one goes.

const FORM = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;
const NANOS_PER_MILLISECOND = 1_000_000n;
const DIGITS = 9;
const WRITTEN_DIGITS = 6;

interface Moment {
  /** Since 1970. */
  readonly nanos: bigint;
  /** What one more in the last digit means. */
  readonly unit: bigint;
}

/** Negative when `one` is earlier than `other`, positive when it is later, 0 when they are written alike as far as both go. */
export function compareMoments(one: string, other: string): number {
  const [a, b] = [momentOf(one), momentOf(other)];
  const [longer = a.unit] = [a.unit, b.unit].sort((x, y) => (x > y ? -1 : 1));
  const difference = a.nanos / longer - b.nanos / longer;
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** Whether both may be the same moment, cut off or rounded. */
export function isSameMoment(one: string, other: string): boolean {
  const [a, b] = [momentOf(one), momentOf(other)];
  const difference = a.nanos - b.nanos;
  return [a, b].some(({ unit }) => -unit < difference && difference < unit);
}

/** Whether this is a timestamp that can be compared. */
export function isMoment(text: string): boolean {
  return FORM.test(text);
}

/** The timestamps in the order of time. */
export function inOrder(timestamps: readonly string[]): readonly string[] {
  return [...timestamps].sort(compareMoments);
}

/** The last moment that is written as `timestamp` by a server that cuts off what is finer; with microseconds, the same. */
export function endOf(timestamp: string): string {
  const { nanos, unit } = momentOf(timestamp);
  return written(nanos + unit - 1n);
}

/** The moment so many microseconds later. */
export function later(timestamp: string, microseconds: bigint): string {
  return written(momentOf(timestamp).nanos + microseconds * 1000n);
}

/** The UTC day of a timestamp. */
export function dayOf(timestamp: string): string {
  return written(momentOf(timestamp).nanos).slice(0, 'yyyy-mm-dd'.length);
}

/** @throws TypeError when it is none; the contract's judge has seen to that. */
function momentOf(timestamp: string): Moment {
  const [, day, minute, second, fraction = '', offset] = FORM.exec(timestamp) ?? [];
  if (day === undefined) throw new TypeError(`${timestamp} is no timestamp`);
  // Dates know no leap second.
  const whole = Date.parse(`${day}T${minute}:${second === '60' ? '59' : second}${offset?.toUpperCase()}`);
  const digits = fraction.slice(0, DIGITS);
  return {
    nanos: BigInt(whole) * NANOS_PER_MILLISECOND + BigInt(digits.padEnd(DIGITS, '0')),
    unit: 10n ** BigInt(DIGITS - digits.length),
  };
}

function written(nanos: bigint): string {
  const second = 1000n * NANOS_PER_MILLISECOND;
  const seconds = nanos / second;
  const fraction = (nanos % second).toString().padStart(DIGITS, '0').slice(0, WRITTEN_DIGITS);
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.${fraction}+00:00`;
}
