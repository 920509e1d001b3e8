import type { Period } from '../domain/periods.ts';
import { hourOf, type Timestamp } from '../domain/time.ts';

/** A period as the hourly counters see it. */
export interface Hours {
  /** The first and the last hour that the period touches. */
  first: Timestamp;
  last: Timestamp;
  /** The parts of hours that the period cuts through: what lies in there is counted in the log, the rest by counters. */
  cut: Period[];
}

/**
 * Divides a period into whole hours and parts of hours. An end in the present or the future cuts nothing off, since
 * nothing happens ahead of time.
 */
export function hoursOf({ from, to }: Period, now: Timestamp): Hours {
  const first = hourOf(from);
  const last = hourOf(to);
  const cutsFirst = from !== first;
  const cutsLast = to !== endOfHour(to) && to < now;
  const cut: Period[] = [];
  if (first === last) {
    if (cutsFirst || cutsLast) cut.push({ from, to });
  } else {
    if (cutsFirst) cut.push({ from, to: endOfHour(from) });
    if (cutsLast) cut.push({ from: last, to });
  }
  return { first, last, cut };
}

/** The last moment of the hour that a moment falls in. */
export function endOfHour(moment: Timestamp): Timestamp {
  return `${moment.slice(0, 13)}:59:59.999999+00:00`;
}
