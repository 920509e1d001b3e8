import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences, show } from '../support/compare.ts';
import { type Suppression, unknownId, withMade } from '../support/made.ts';
import { requireAllRefused, requireCode, requireStatus } from '../support/refused.ts';
import { texts } from '../support/values.ts';
import { listed } from './suppression.ts';

/** Suppressions come into being and go. */
export const life: readonly Check[] = [
  {
    id: 'suppressions/create-and-retrieve',
    title: 'An address is suppressed in an account, with a reason or without one, and can be retrieved',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id, name: account_name } = await made.account();
        await t.property(
          texts(),
          async (reason) => {
            const recipient_email = t.address();
            const created = await made.suppression(
              { account_id, recipient_email, reason },
              'suppressions.create',
            );
            const wrong = differences(created, { account_id, account_name, recipient_email });
            t.require('suppressions.create', wrong === '', `the created suppression is another: ${wrong}`);
            const is = show(created.reason);
            const isKept = created.reason === reason;
            t.require('suppressions.reason-only-when-manual', isKept, `expected ${show(reason)}, got ${is}`);
            await requireKept(t, created);
          },
          6,
        );
        for (const change of [{}, { reason: null }]) {
          const { reason } = await made.suppression(
            { account_id, ...change },
            'suppressions.through-the-api',
          );
          const isEmpty = reason === '';
          t.require('suppressions.absent-reason-is-empty', isEmpty, `expected "", got ${show(reason)}`);
        }
      }),
  },
  {
    id: 'suppressions/created-is-manual',
    title: 'A suppression made through the API is manual and names no message, whatever type was asked for',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        for (const type of ['manual', 'hard_bounce', 'spam_complaint', 'unsubscribe']) {
          const created = await made.suppression({ account_id, ...{ type } });
          const path = { suppression_id: created.suppression_id };
          const { data: kept } = await t.ok('getSuppression', 200, { path });
          for (const suppression of [created, kept]) requireManual(t, suppression);
        }
      }),
  },
  {
    id: 'suppressions/create-refuses-malformed',
    title: 'A suppression without an account or address, or with a malformed one, is refused',
    async run(t: Tester) {
      const { account_id } = t.tenant.account;
      const recipient_email = t.address();
      const bodies = [
        {},
        { account_id },
        { recipient_email },
        { account_id, recipient_email: null },
        { account_id: null, recipient_email },
        ...['', 'nobody', 'a@b@c.test', '@conformance.test', 5].map((email) => ({
          account_id,
          recipient_email: email,
        })),
        { account_id, recipient_email, reason: 5 },
      ];
      await requireAllRefused(t, { 'suppressions.create-required': bodies }, (body) =>
        t.call('createSuppression', { body }),
      );
    },
  },
  {
    id: 'suppressions/create-for-unknown-account',
    title: 'A suppression for an account that does not exist is 409',
    async run(t: Tester) {
      const body = { account_id: unknownId(), recipient_email: t.address() };
      const answer = await t.call('createSuppression', { body });
      requireStatus(t, 'http.business-logic-409', answer, 409, 'an unknown account');
      requireCode(t, 'http.business-logic-409', answer, 'ACCOUNT_NOT_FOUND');
    },
  },
  {
    id: 'suppressions/same-address-twice',
    title: 'An address that the account suppresses already is 409, in any letter case, until it is deleted',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const { recipient_email, suppression_id } = await made.suppression({ account_id });
        const again = (address: string) =>
          t.call('createSuppression', { body: { account_id, recipient_email: address } });
        const answers = {
          'suppressions.twice-409': await again(recipient_email),
          'suppressions.letter-case': await again(recipient_email.toUpperCase()),
        };
        for (const [requirement, answer] of Object.entries(answers)) {
          requireStatus(t, requirement, answer, 409, 'an address that is suppressed already');
          requireCode(t, requirement, answer, 'ENTITY_EXISTS');
        }
        await t.ok('deleteSuppression', 200, { path: { suppression_id } });
        await made.suppression({ account_id, recipient_email }, 'suppressions.twice-409');
      }),
  },
  {
    id: 'suppressions/same-address-in-two-accounts',
    title: 'An address can be suppressed in several accounts',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const requirement = 'suppressions.several-accounts';
        const recipient_email = t.address();
        const ids = [];
        for (const { account_id } of [await made.account(), await made.account()]) {
          const created = await made.suppression({ account_id, recipient_email }, requirement);
          const isOwn = created.account_id === account_id;
          t.require(requirement, isOwn, `expected the account ${account_id}, got ${created.account_id}`);
          ids.push(created.suppression_id);
        }
        const shown = (await listed(t, { recipient_email })).map(({ suppression_id: id }) => id);
        const areBoth = ids.every((id) => shown.includes(id));
        t.require(requirement, areBoth, `expected the address to be listed for both, got ${shown.length}`);
      }),
  },
  {
    id: 'suppressions/delete-is-permanent',
    title: 'A deleted suppression is returned once more, and gone from then on',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const created = await made.suppression();
        const path = { suppression_id: created.suppression_id };
        const { data: deleted } = await t.ok(
          'deleteSuppression',
          200,
          { path },
          'suppressions.through-the-api',
        );
        const wrong = differences(deleted, created);
        t.require(
          'conventions.delete-returns-the-object',
          wrong === '',
          `deletion returned another: ${wrong}`,
        );
        const requirement = 'suppressions.delete-permanent';
        requireStatus(t, requirement, await t.call('getSuppression', { path }), 409);
        requireStatus(t, requirement, await t.call('deleteSuppression', { path }), 409);
        const left = await listed(t, { recipient_email: created.recipient_email });
        t.require(requirement, left.length === 0, 'a deleted suppression is still listed');
      }),
  },
];

async function requireKept(t: Tester, created: Suppression): Promise<void> {
  const path = { suppression_id: created.suppression_id };
  const { data: kept } = await t.ok('getSuppression', 200, { path }, 'suppressions.retrieve');
  const wrong = differences(kept, created);
  t.require('suppressions.fields', wrong === '', `retrieved, the suppression is another: ${wrong}`);
}

function requireManual(t: Tester, { type, message_id, message_custom_id }: Suppression): void {
  const cited = ['suppressions.manual-type', 'suppressions.type-always-manual', 'suppressions.types'];
  t.require(cited, type === 'manual', `expected the type manual, got ${type}`);
  const names = { message_id, message_custom_id };
  const isEmpty = !message_id && !message_custom_id;
  t.require('suppressions.manual-names-no-message', isEmpty, `expected no message, got ${show(names)}`);
  t.inform('suppressions.manual-message-id-is-empty', `message_id is ${show(message_id)}`);
  t.inform('suppressions.manual-custom-id-is-empty', `message_custom_id is ${show(message_custom_id)}`);
}
