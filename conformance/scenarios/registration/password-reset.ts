import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import { type Person, password, registerOwner, sessionOf } from '../support/people.ts';
import { requireCode, requireStatus } from '../support/refused.ts';

const HOUR_SECONDS = 3600;
// What a mail looks like is nobody's business; a token is a long word in it, whether alone or at the end of a link.
const LONG_WORD = /[\w-]{16,}/g;

/**
 * Asks for a reset, and returns the words of the mail that may be its token. `after` are mails that had come before. When no
 * mail comes, `requirement` is broken; without one, another check judges that.
 */
async function tokensMailedTo(
  t: Tester,
  { email }: Person,
  after: number,
  requirement?: string,
): Promise<readonly string[]> {
  await t.ok('requestPasswordReset', 200, { body: { email } });
  const mails = await t.poll(async () => {
    const all = await t.sentMails(email);
    return all.length > after ? all : undefined;
  });
  if (mails === undefined && requirement !== undefined) t.fail(requirement, 'no mail with the token came');
  if (mails === undefined) throw new SetupFailed('no mail with the token came');
  // A soft line break of quoted-printable may stand within the token.
  const raw = (mails[0]?.raw ?? '').replace(/=\r?\n/g, '').replace(/=3D/gi, '=');
  const body = raw.slice(raw.search(/\r?\n\r?\n/));
  return body.match(LONG_WORD) ?? [];
}

/** Tries every word; true when one of them set the password. */
async function confirm(t: Tester, words: readonly string[], next: string): Promise<boolean> {
  for (const token of words) {
    t.hide(token);
    const answer = await t.call('confirmPasswordReset', { body: { token, password: next } });
    if (answer.status === 200) return true;
  }
  return false;
}

async function logsIn(t: Tester, email: string, secret: string): Promise<number> {
  const answer = await t.call('login', { body: { email, password: secret, grant_type: 'password' } });
  return answer.status;
}

/** Getting a new password by mail. */
export const passwordReset: readonly Check[] = [
  {
    id: 'registration/reset-answers-alike',
    title: 'Asking for a reset does not tell whether there is such a user',
    profile: 'extensions',
    async run(t) {
      const owner = await registerOwner(t);
      const known = await t.call('requestPasswordReset', { body: { email: owner.email } });
      const unknown = await t.call('requestPasswordReset', { body: { email: t.address('nobody') } });
      const requirement = 'registration.reset-answers-alike';
      requireStatus(t, requirement, known, 200);
      const areAlike =
        known.status === unknown.status &&
        isDeepStrictEqual(valueAt(known.json, 'data'), valueAt(unknown.json, 'data'));
      t.require(requirement, areAlike, 'expected the same answer for a user and for nobody', known, unknown);
    },
  },
  {
    id: 'registration/useless-reset-token',
    title: 'A token that nobody was sent resets nothing',
    profile: 'extensions',
    async run(t) {
      for (const token of ['x', randomBytes(32).toString('base64url'), '../../etc/passwd']) {
        const answer = await t.call('confirmPasswordReset', { body: { token, password: password(t) } });
        requireStatus(t, 'registration.useless-token', answer, 409, 'a token that nobody was sent');
        requireCode(t, 'registration.useless-token', answer, 'PASSWORD_RESET_NOT_FOUND');
      }
    },
  },
  {
    id: 'registration/reset-sets-the-password',
    title: 'The token from the mail sets the password once, and ends the sessions of the user',
    profile: 'extensions',
    needs: ['sent_mail'],
    async run(t) {
      const owner = await registerOwner(t);
      const session = await sessionOf(t, owner);
      const words = await tokensMailedTo(t, owner, 0, 'registration.reset-works-once');
      const next = password(t);
      const isSet = await confirm(t, words, next);
      t.require('registration.reset-works-once', isSet, 'expected the token of the mail to set the password');
      const status = await logsIn(t, owner.email, next);
      t.require(
        'registration.reset-works-once',
        status === 200,
        `expected the new password to log in, got ${status}`,
      );
      const old = await logsIn(t, owner.email, owner.password);
      t.require(
        'registration.reset-works-once',
        old === 401,
        `expected 401 for the old password, got ${old}`,
      );
      const read = await t.call('listAccounts', { as: session });
      requireStatus(t, 'registration.reset-ends-sessions', read, 401, 'a session from before the reset');
      const again = await confirm(t, words, password(t));
      t.require('registration.reset-works-once', !again, 'the token of the mail worked a second time');
    },
  },
  {
    id: 'registration/newer-reset-token-replaces',
    title: 'Asking for another reset makes the token of the first one useless',
    profile: 'extensions',
    needs: ['sent_mail'],
    async run(t) {
      const owner = await registerOwner(t);
      const first = await tokensMailedTo(t, owner, 0);
      const second = await tokensMailedTo(t, owner, 1);
      const old = first.filter((word) => !second.includes(word));
      const requirement = 'registration.newer-token-replaces';
      t.require(
        requirement,
        !(await confirm(t, old, password(t))),
        'the token of the first mail still works',
      );
      t.require(
        requirement,
        await confirm(t, second, password(t)),
        'expected the token of the second mail to work',
      );
    },
  },
  {
    id: 'registration/reset-token-expires',
    title: 'A token is of no use when an hour has passed',
    profile: 'extensions',
    needs: ['sent_mail', 'clock'],
    exclusive: true,
    async run(t) {
      const owner = await registerOwner(t);
      const words = await tokensMailedTo(t, owner, 0);
      await t.advanceClock(HOUR_SECONDS + 1);
      const requirement = 'registration.reset-token-expires';
      t.require(requirement, !(await confirm(t, words, password(t))), 'the token still works after an hour');
    },
  },
];
