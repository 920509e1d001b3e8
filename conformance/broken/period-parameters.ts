import { type Range, readMoment } from './periods.ts';
import type { World } from './state.ts';
import { problem, type Rule } from './validate.ts';

const ALL_OF_TIME: Range = { from: -(10n ** 17n), to: 10n ** 18n };

/** The rule for one end of a period: a timestamp with an offset, or a date. */
export function periodEnd(world: World): Rule<Range> {
  return (value, field) => {
    const moment = typeof value === 'string' ? readMoment(value, world) : undefined;
    if (moment !== undefined) return { value: moment };
    if (world.has('periods.malformed-accepted')) return { value: ALL_OF_TIME };
    return problem(field, value, 'TIMESTAMP', 'must be an RFC 3339 timestamp with an offset, or a date');
  };
}
