import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AttackedService, bodyText, pathOf, targets } from './testing/hostile-requests.ts';

let service: AttackedService;

beforeAll(async () => {
  service = await AttackedService.start();
});
afterAll(() => service.api.close());
afterEach(() => service.expectUnharmed());

describe.each(targets.filter(({ parameters }) => parameters.some(({ in: place }) => place === 'path')))(
  'the path of $id',
  (target) => {
    const strange = [
      'x',
      '%00',
      '%0d%0a',
      '%ff',
      '%ed%a0%80',
      '..%2f..%2fetc',
      '%2e%2e%2f',
      '__proto__',
      '%F0%9F%98%80',
    ];
    const nearly = [
      '0'.repeat(36),
      `{${randomUUID()}}`,
      `urn:uuid:${randomUUID()}`,
      `${randomUUID()}%0a`,
      randomUUID().slice(1),
    ];

    it('with a malformed id is 422', async () => {
      for (const id of [...strange, ...nearly, 'x'.repeat(5000)]) {
        const answer = await service.send(target, bodyText(target), pathOf(target, id));
        expect([id, answer.status, answer.code]).toEqual([id, 422, 'VALIDATION_ERROR']);
      }
    });

    it('takes a UUID in any case', async () => {
      const answer = await service.send(target, bodyText(target), pathOf(target, randomUUID().toUpperCase()));
      expect(answer.status).toBe(409);
    });
  },
);

describe.each(targets.filter(({ parameters }) => parameters.some(({ in: place }) => place === 'query')))(
  'the query of $id',
  (target) => {
    const texts = [
      '',
      '%00',
      '%ff',
      '%ed%a0%80',
      '%',
      '1e400',
      '-1',
      '99999999999999999999',
      '0x10',
      'NaN',
      'null',
      '[]',
    ];
    const more = [
      '0000-01-01',
      '0000-12-31T23:59:59Z',
      '9999-12-31',
      '9999-12-31T23:59:59-23:59',
      'a%0d%0aX-Injected:1',
      "'%20or%201=1--",
      '%25_%5c',
      '__proto__',
      '%F0%9F%98%80',
      'x'.repeat(9000),
    ];
    const required = () =>
      target.parameters
        .filter((one) => one.required && one.in === 'query')
        .map(({ name }) => `${name}=2026-03-01&`);

    it('with anything strange in any parameter is 422 or a search that finds nothing', async () => {
      for (const { name } of target.parameters.filter(({ in: place }) => place === 'query')) {
        for (const text of [...texts, ...more]) {
          const others = required().filter((pair) => !pair.startsWith(`${name}=`));
          const answer = await service.send(
            target,
            undefined,
            `${pathOf(target)}?${others.join('')}${name}=${text}`,
          );
          const missing = target.path.includes('{') && answer.status === 409;
          if (!missing) expect([200, 422], `${name}=${text}: ${answer.text}`).toContain(answer.status);
          if (/^(?:%00|%ff|%ed%a0%80|%)$/.test(text)) expect(answer.status, `${name}=${text}`).toBe(422);
        }
        const name_ = encodeURIComponent(name);
        const [once, twice] = [`${name_}=1`, `${name_}=1&${name_}=1`];
        expect((await service.send(target, undefined, `${pathOf(target)}?${once}`)).status).toBeLessThan(500);
        expect((await service.send(target, undefined, `${pathOf(target)}?${twice}`)).status).toBe(422);
      }
    });

    it('may hold parameters that nobody knows, and pairs that are none', async () => {
      const plain = await service.send(target, undefined, `${pathOf(target)}?${required().join('')}`);
      for (const query of [
        '__proto__=1',
        'constructor[x]=1',
        'toString',
        '=',
        '&&&',
        '%ff=1',
        'limit[]=5',
        '?',
      ]) {
        const answer = await service.send(
          target,
          undefined,
          `${pathOf(target)}?${required().join('')}${query}`,
        );
        expect([query, answer.status]).toEqual([query, plain.status]);
      }
    });
  },
);
