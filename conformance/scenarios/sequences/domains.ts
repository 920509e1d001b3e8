import fc from 'fast-check';
import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { sameMembers, show } from '../support/compare.ts';
import { type Domain, type Made, withMade } from '../support/made.ts';
import { requireStatus } from '../support/refused.ts';
import { anyIndex, bury, type Known, step, stepOnAlive, stepOnAny, trySequences } from './model.ts';

interface Fields {
  readonly domain_id: string;
  readonly name: string;
  readonly accounts: readonly string[];
  readonly host: string;
}
type Model = Known<Fields>;
interface Real {
  readonly t: Tester;
  readonly made: Made;
  /** The accounts that domains are assigned to. */
  readonly accounts: readonly string[];
  /** The last labels of every domain of this sequence, and of no other. */
  readonly zone: string;
}

const DEFAULT_HOST = 'cs-bounces';
const ACCOUNTS = 3;
const assignments = fc.subarray([0, 1, 2]);
const hosts = fc.constantFrom(undefined, DEFAULT_HOST, 'bounces', 'm.bounces');

const creations = fc.tuple(assignments, hosts).map(([places, host]) =>
  step<Model, Real>(`create for [${places}] with ${host ?? 'the default host'}`, async (model, real) => {
    const { t, made, zone } = real;
    const name = `d${model.alive.length + model.deleted.length}.${zone}`;
    const accounts = named(real, places);
    const created = await made.domain({ name, accounts, ...hostChange(host) }, 'domains.list');
    const fields = { name, accounts, domain_id: created.domain_id, host: host ?? DEFAULT_HOST };
    requireSame(t, created, fields);
    model.alive.push(fields);
  }),
);

const updates = fc.tuple(anyIndex, assignments, hosts).map(([index, places, host]) =>
  stepOnAlive<Fields, Real>(
    `update for [${places}] with ${host ?? 'the same host'}`,
    index,
    async (one, { alive }, real) => {
      const changed = { ...one, accounts: named(real, places), host: host ?? one.host };
      const body = { accounts: changed.accounts, ...hostChange(host) };
      const path = { domain_id: one.domain_id };
      const { data } = await real.t.ok('updateDomain', 200, { path, body }, 'domains.list');
      alive.splice(alive.indexOf(one), 1, changed);
      requireSame(real.t, data, changed);
    },
  ),
);

const deletions = anyIndex.map((index) =>
  stepOnAlive<Fields, Real>('delete', index, async (one, model, { t }) => {
    const path = { domain_id: one.domain_id };
    await t.ok('deleteDomain', 200, { path }, 'domains.delete-permanent');
    bury(model, one);
  }),
);

const retrievals = anyIndex.map((index) =>
  stepOnAny<Fields, Real>('retrieve', index, async (one, { alive }, { t }) => {
    const path = { domain_id: one.domain_id };
    if (alive.includes(one))
      requireSame(t, (await t.ok('getDomain', 200, { path }, 'domains.list')).data, one);
    else requireStatus(t, 'domains.delete-permanent', await t.call('getDomain', { path }), 409);
  }),
);

/** A name is taken as long as its domain is there, and free again after it. */
const repetitions = anyIndex.map((index) =>
  stepOnAny<Fields, Real>('create with the name', index, async ({ name }, { alive }, { t, made }) => {
    const requirement = 'domains.unique-within-organisation';
    if (alive.some((other) => other.name === name)) {
      const answer = await t.call('createDomain', { body: { name, accounts: [] } });
      requireStatus(t, requirement, answer, 409, 'a name that is taken');
      return;
    }
    const { domain_id } = await made.domain({ name }, requirement);
    alive.push({ domain_id, name, accounts: [], host: DEFAULT_HOST });
  }),
);

const lists = fc.constant(
  step<Model, Real>('list', async ({ alive }, { t, zone }) => {
    const { data } = await t.ok('listDomains', 200, { query: { name: zone, limit: 30 } }, 'domains.list');
    const ids = (list: readonly { domain_id: string }[]) => list.map(({ domain_id }) => domain_id);
    const names = (list: readonly { name: string }[]) => show(list.map(({ name }) => name));
    const message = `the filter by ${zone}: expected ${names(alive)}, got ${names(data)}`;
    t.require('domains.list', sameMembers(ids(data), ids(alive)), message);
    for (const one of alive) {
      const shown = data.find(({ domain_id }) => domain_id === one.domain_id);
      if (shown !== undefined) requireSame(t, shown, one);
    }
  }),
);

function named({ accounts }: Real, places: readonly number[]): string[] {
  return places.flatMap((place) => accounts[place] ?? []);
}

function hostChange(host: string | undefined): { return_path_hostname?: string } {
  return host === undefined ? {} : { return_path_hostname: host };
}

function requireSame(t: Tester, shown: Domain, { name, accounts, host }: Fields): void {
  t.require('domains.list', shown.name === name, `expected the name ${name}, got ${shown.name}`);
  const is = shown.return_path_hostname;
  t.require('domains.list', is === host, `expected the Return-Path host ${host} of ${name}, got ${is}`);
  const ids = shown.accounts.map(({ account_id }) => account_id);
  const message = `expected ${name} to be assigned to ${show(accounts)}, got ${show(ids)}`;
  t.require('domains.list', sameMembers(ids, accounts), message);
}

export const domainSequences: Check = {
  id: 'sequences/domains',
  title: 'Domains that are created, changed, deleted and listed in any order are as a model has them',
  run: (t: Tester) =>
    withMade(t, async (made) => {
      const own = await Promise.all(Array.from({ length: ACCOUNTS }, () => made.account()));
      const accounts = own.map(({ account_id }) => account_id);
      await trySequences<Model, Real>(t, {
        steps: [creations, creations, updates, deletions, retrievals, repetitions, lists],
        begin: async () => ({
          model: { alive: [], deleted: [] },
          real: { t, made, accounts, zone: `${t.unique('seq')}.test` },
        }),
      });
    }),
};
