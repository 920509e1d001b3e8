import fc from 'fast-check';
import type { OperationId } from '../../../generated/operations.ts';
import { hostname } from '../../arbitraries/strings.ts';
import { arbitraryOf } from '../../arbitraries/values.ts';
import { operationOf } from '../../contract/document.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import type { Made } from '../support/made.ts';
import {
  leftOver,
  nameWith,
  newAddress,
  newWord,
  type Stage,
  type Staging,
  someOf,
  withId,
} from './stage.ts';

/** Sending, and what is known of what was sent. */
export const mailStages = {
  sendEmail: async (t) => {
    const marker = t.unique('fuzz');
    const own = {
      '[].from.email': fc.constant(t.tenant.fromEmail),
      '[].to[].email': newAddress(),
      '[].subject': nameWith(marker),
      // The window of uniqueness is older than this run.
      '[].custom_id': fc.option(newWord(), { nil: null }),
      '[].list_id': fc.option(hostname(), { nil: null }),
    };
    return { own: { body: own }, residue: () => sentUnder(t, marker) };
  },

  listSuppressions: suppressionFilters,
  createSuppression: async (t, made) => {
    const { account_id: id } = await made.account();
    return {
      own: { body: { account_id: fc.constant(id), recipient_email: newAddress() } },
      adopt: withId('data.suppression_id', (suppressed) => made.adoptSuppression(suppressed)),
      residue: async () => {
        const { data } = await t.ok('listSuppressions', 200, { query: { 'account_ids[]': [id] } });
        return leftOver(
          'suppressions',
          data.filter(({ account_id: owner }) => owner === id),
        );
      },
    };
  },
  getSuppression: ownSuppression,
  deleteSuppression: async (t, made) => ({
    ...(await ownSuppression(t, made)),
    fresh: async () => ({ path: { suppression_id: (await made.suppression()).suppression_id } }),
  }),

  listMessages: messageFilters,
  // All that was ever sent may be much: a good request asks for what an account without messages has sent.
  exportMessages: async (t, made) => {
    const { account_id: id } = await made.account();
    return { ...(await messageFilters(t, made)), fresh: async () => ({ query: { 'account_ids[]': [id] } }) };
  },
  getMessage: ownMessage,
  listMessageEvents: ownMessage,
  getStats: () => Promise.resolve({ own: {} }),
} as const satisfies Partial<Record<OperationId, Staging>>;

/** A batch of one: when it is wrong, nothing else is sent. */
export function batchOfOne({ own }: Stage): Stage['own'] {
  const schema = operationOf('sendEmail').body?.schema ?? {};
  return { body: { '': arbitraryOf({ ...schema, maxItems: 1 }, own.body) } };
}

async function sentUnder(t: Tester, subject: string): Promise<string | undefined> {
  const { data } = await t.ok('listMessages', 200, { query: { subject } });
  return leftOver(
    'messages in the log',
    data.filter((message) => message.subject.startsWith(subject)),
  );
}

async function suppressionFilters(t: Tester, made: Made): Promise<Stage> {
  const { account_id: id } = await made.account();
  return { own: { query: { 'account_ids[]': someOf([id, t.tenant.account.account_id]) } } };
}

async function messageFilters(t: Tester, made: Made): Promise<Stage> {
  const { own } = await suppressionFilters(t, made);
  return { own: { query: { ...own.query, 'domain_ids[]': someOf([t.tenant.domainId]) } } };
}

async function ownSuppression(t: Tester, made: Made): Promise<Stage> {
  const { suppression_id: id } = await made.suppression();
  const path = { suppression_id: id };
  return {
    own: { path: { suppression_id: fc.constant(id) } },
    residue: async () => {
      const { status } = await t.call('getSuppression', { path });
      return status === 200 ? undefined : `the suppression that was named is answered ${status}`;
    },
  };
}

async function ownMessage(t: Tester): Promise<Stage> {
  const [id = ''] = await accepted(t, [mail(t)]);
  return { own: { path: { message_id: fc.constant(id) } } };
}
