import { describe, expect, it } from 'vitest';
import { Strangers } from './strangers.ts';

describe('clients from elsewhere', () => {
  const entered = (strangers: Strangers, addresses: string[]) =>
    addresses.filter((remoteAddress) => strangers.enter({ remoteAddress }) === undefined).length;
  const many = (address: (number: number) => string) =>
    Array.from({ length: 100 }, (_, index) => address(index));

  it('have twenty connections each, and get another for each that they end', () => {
    const strangers = new Strangers();
    expect(
      entered(
        strangers,
        many(() => '192.0.2.1'),
      ),
    ).toBe(20);
    expect(strangers.enter({ remoteAddress: '192.0.2.1' })).toMatchObject({ code: 421 });
    expect(strangers.enter({ remoteAddress: '192.0.2.2' })).toBeUndefined();
    const session = { remoteAddress: '192.0.2.3' };
    for (let number = 0; number < 100; number++) {
      expect(strangers.enter(session)).toBeUndefined();
      strangers.leave(session);
    }
  });

  it('are one for a whole IPv6 network', () => {
    expect(
      entered(
        new Strangers(),
        many((number) => `2001:db8:1:2::${number.toString(16)}`),
      ),
    ).toBe(20);
    expect(
      entered(
        new Strangers(),
        many((number) => `2001:db8::${number.toString(16)}`),
      ),
    ).toBe(20);
    expect(
      entered(
        new Strangers(),
        many((number) => `2001:db8:1:${number.toString(16)}::1`),
      ),
    ).toBe(100);
  });

  it('are sent away after twenty refused recipients, unless they are this machine', () => {
    const refusals = (remoteAddress: string) => {
      const strangers = new Strangers();
      const session = { remoteAddress };
      return many(String).findIndex(() => strangers.refused(session) !== undefined);
    };
    expect(refusals('192.0.2.1')).toBe(20);
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(refusals(address)).toBe(-1);
    expect(
      entered(
        new Strangers(),
        many(() => '::ffff:127.0.0.1'),
      ),
    ).toBe(100);
  });
});
