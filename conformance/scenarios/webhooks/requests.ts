import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { type Delivery, ELSEWHERE } from '../../suite/receiver.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import { show } from '../support/compare.ts';
import { eventOf, eventsOf } from '../support/log.ts';
import { inOrder, isMoment } from '../support/moments.ts';
import { mailTo, tracked } from '../support/simulator.ts';
import { kindOf, requestOf, requestsOf, timePasses, type Watched, watched, watchedMail } from './notified.ts';
import { isSignedWith } from './signatures.ts';

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
// The first repetition comes after about 5 seconds, whatever the target says of other things.
const REPETITION_MS = 20_000;
const TOLERANCE_SECONDS = 300;
const UNDISTURBED = 2;
const AT_ONCE_MS = 50;
const SUCCESSES = [200, 201, 202, 204];
const REDIRECTS = [302, 307];
/** Times of attempts are told in seconds: so far apart they differ, whatever the way to the receiver takes. */
const CLEARLY_LATER_MS = 2_000;

/** How a notification is sent, signed and repeated. */
export const requests: readonly Check[] = [
  {
    id: 'webhooks/signature',
    title:
      'A notification has the headers of Standard Webhooks, and a signature that fits its id, time and body',
    needs: ['webhooks', 'webhooks.signed', 'simulator.delivery'],
    async run(t) {
      const one = await watchedMail(t, mailTo(t, 'delivery'));
      const request = await requestOf(t, one, 'delivery');
      for (const name of HEADERS) {
        const isThere = request.headers[name] !== undefined;
        t.require('webhooks.headers', isThere, `the header ${name} is missing`, request);
      }
      requireSignature(t, one, request);
      requireFresh(t, request);
    },
  },
  {
    id: 'webhooks/one-id-for-each-event',
    title: 'An event is not told of under two ids',
    needs: ['webhooks', 'simulator.delivery'],
    async run(t) {
      const one = await watchedMail(t, mailTo(t, 'delivery'));
      await requestOf(t, one, 'delivery');
      await timePasses(t);
      await eventOf(t, one.id, 'delivery');
      const happened = (await eventsOf(t, one.id)).filter(({ type }) => type === 'delivery');
      const told = requestsOf(one).filter((request) => kindOf(request) === 'delivery');
      const count = idsOf(told).size;
      const message = `expected ${happened.length} webhook-id for message.delivery, got ${count}`;
      t.require('webhooks.id-tells-repetitions', count <= happened.length, message, ...told);
    },
  },
  {
    id: 'webhooks/each-event-has-its-own-id',
    title: 'Two events of one message are not told of under the same id',
    needs: ['webhooks', 'simulator.click'],
    async run(t) {
      const one = await watchedMail(t, mailTo(t, 'click', tracked));
      const both = [await requestOf(t, one, 'delivery'), await requestOf(t, one, 'click')];
      const ids = both.flatMap(({ headers }) => headers['webhook-id'] ?? []);
      const message = `a delivery and a click came under the same webhook-id ${ids[0]}`;
      t.require('webhooks.id-tells-repetitions', new Set(ids).size === ids.length, message, ...both);
    },
  },
  {
    id: 'webhooks/repeated-after-failure',
    title: 'A notification that was answered 500 is repeated, with the same id and payload',
    needs: ['webhooks', 'simulator.delivery'],
    async run(t) {
      const one = await failing(t, 500);
      const [first, second] = await repeated(t, one, 'webhooks.repeated-until-2xx');
      const ids = [first, second].map(({ headers }) => headers['webhook-id']);
      const isSame = ids[0] === ids[1];
      const changed = `webhook-id was ${ids[0]}, and is ${ids[1]}`;
      t.require('webhooks.same-id-on-repetition', isSame, changed, first, second);
      const wasSaid = isDeepStrictEqual(first.json, second.json);
      const message = `repeated, ${show(first.json)} became ${show(second.json)}`;
      t.require('webhooks.repeated-until-2xx', wasSaid, message, first, second);
    },
  },
  {
    id: 'webhooks/signature-of-a-repetition',
    title: 'A repetition has the time of its own attempt, and a signature that fits it',
    needs: ['webhooks', 'webhooks.signed', 'simulator.delivery'],
    async run(t) {
      const one = await failing(t, 500);
      const [first, second] = await repeated(t, one);
      requireSignature(t, one, second);
      requireFresh(t, second);
      const [before, now] = [first, second].map(({ headers }) => Number(headers['webhook-timestamp']));
      const pause = second.at - first.at;
      const isLater = pause < CLEARLY_LATER_MS || Number(now) > Number(before);
      const message = `a repetition that came ${Math.round(pause)} ms later has the webhook-timestamp ${now} after ${before}`;
      t.require('webhooks.timestamp-of-the-attempt', isLater, message, first, second);
    },
  },
  {
    id: 'webhooks/not-repeated-after-success',
    title: 'Notifications that were answered with a 2xx are not repeated while one that failed is',
    needs: ['webhooks', 'simulator.delivery'],
    async run(t) {
      const { answer } = await t.receiver;
      const fine = await Promise.all(
        SUCCESSES.map(async (status) => {
          const messages = Array.from({ length: UNDISTURBED }, () => mailTo(t, 'delivery'));
          for (const { custom_id } of messages) answer(custom_id ?? '', status);
          return { status, notified: await watched(t, messages) };
        }),
      );
      const all = fine.flatMap(({ notified }) => notified);
      await Promise.all(all.map((one) => requestOf(t, one, 'delivery')));
      await repeated(t, await failing(t, 500));
      for (const { status, notified } of fine) {
        const again = notified.filter((one) => cameAfterTheAnswer(one));
        // One may come twice; all of them do not by chance.
        const message = `each of ${notified.length} notifications was repeated after it was answered ${status}`;
        const shown = again.slice(0, 1).flatMap(requestsOf);
        t.require('webhooks.repeated-until-2xx', again.length < notified.length, message, ...shown);
      }
    },
  },
  {
    id: 'webhooks/order-of-one-message',
    title: 'What happened to one message is told of in the order in which it happened',
    needs: ['webhooks', 'simulator.click'],
    async run(t) {
      const messages = Array.from({ length: UNDISTURBED }, () => mailTo(t, 'click', tracked));
      for (const one of await watched(t, messages)) {
        await requestOf(t, one, 'delivery');
        await requestOf(t, one, 'click');
        // A repetition may come at any time.
        const firsts = new Map(
          requestsOf(one)
            .toReversed()
            .map((request) => [idOf(request), request]),
        );
        const arrival = [...firsts.values()].toSorted((first, second) => first.at - second.at);
        const times = arrival.map(({ json }) => String(valueAt(json, 'received_at')));
        if (!times.every(isMoment)) throw new SetupFailed(`received_at is no timestamp: ${show(times)}`);
        const isInOrder = isDeepStrictEqual(times, inOrder(times));
        const message = `for one message came ${arrival.map(kindOf)}, of ${show(times)}`;
        t.require('webhooks.first-attempts-in-order', isInOrder, message, ...arrival);
      }
    },
  },
  {
    id: 'webhooks/redirect-is-not-followed',
    title: 'A notification that is answered with a redirect is repeated, and not sent to the other address',
    needs: ['webhooks', 'simulator.delivery'],
    async run(t) {
      await Promise.all(REDIRECTS.map((status) => redirected(t, status)));
    },
  },
];

async function redirected(t: Tester, status: number): Promise<void> {
  const one = await failing(t, status);
  const requirement = 'webhooks.redirect-is-failure';
  const [first] = await repeated(t, one, requirement);
  const followed = one.receiver.all.filter(({ path }) => path === elsewhere(one));
  const message = `the redirect (${status}) to ${elsewhere(one)} was followed`;
  t.require(requirement, followed.length === 0, message, first, ...followed);
}

function idsOf(requests: readonly Delivery[]): ReadonlySet<string> {
  return new Set(requests.flatMap(({ headers }) => headers['webhook-id'] ?? []));
}

/** Whether a notification was repeated. What comes at the same moment was on its way before there was an answer. */
function cameAfterTheAnswer(one: Watched): boolean {
  const [first, ...others] = requestsOf(one);
  return first !== undefined && others.some(({ at }) => at - first.at > AT_ONCE_MS);
}

function idOf({ headers, text }: Delivery): string {
  return headers['webhook-id'] ?? text;
}

/** A message whose first notification is answered so. */
async function failing(t: Tester, status: number): Promise<Watched> {
  const message = mailTo(t, 'delivery');
  (await t.receiver).answer(message.custom_id ?? '', status);
  return watchedMail(t, message);
}

/** The notification that failed, and its repetition. Where none is judged, there is none to wait for any longer. */
async function repeated(
  t: Tester,
  one: Watched,
  requirement?: string,
): Promise<readonly [Delivery, Delivery]> {
  const first = await requestOf(t, one, 'delivery');
  if (first.status === 200)
    throw new SetupFailed('the request that was to fail could not be told by its custom_id');
  const second = await t.poll(
    async () => requestsOf(one).filter((request) => kindOf(request) === 'delivery' && isOf(one, request))[1],
    REPETITION_MS,
  );
  if (second === undefined && requirement !== undefined)
    t.fail(
      requirement,
      `the notification was answered ${first.status}, and not repeated with its payload within ${t.longest(REPETITION_MS) / 1000} seconds`,
      first,
    );
  return [first, second ?? first];
}

function isOf(one: Watched, { path }: Delivery): boolean {
  return path !== elsewhere(one);
}

function elsewhere({ message }: Watched): string {
  return `${ELSEWHERE}${encodeURIComponent(message.custom_id ?? '')}`;
}

/** One of the signatures is that of the secret which registering the account has told. */
function requireSignature(t: Tester, { receiver, account }: Watched, request: Delivery): void {
  const secret = receiver.secretOf(account.account_id) ?? '';
  const message = `no signature of ${show(request.headers['webhook-signature'])} is the HMAC-SHA256 of webhook-id.webhook-timestamp.body under the secret`;
  t.require('webhooks.signature', isSignedWith(secret, request), message, request);
}

/** The time is that of the attempt: near to this machine's clock or, where the server's has been moved, to the event. */
function requireFresh(t: Tester, request: Delivery): void {
  const { headers, json } = request;
  const header = headers['webhook-timestamp'] ?? '';
  const at = Number(header);
  const happened = Date.parse(String(valueAt(json, 'received_at'))) / 1000;
  const isFresh =
    /^\d+$/.test(header) &&
    [Date.now() / 1000, happened].some((moment) => Math.abs(at - moment) <= TOLERANCE_SECONDS);
  const message = `webhook-timestamp is ${header}, for an event of ${show(valueAt(json, 'received_at'))}: expected seconds since 1970`;
  t.require('webhooks.timestamp-of-the-attempt', isFresh, message, request);
}
