import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { type Delivery, ELSEWHERE } from '../../suite/receiver.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import { show } from '../support/compare.ts';
import { eventsOf } from '../support/log.ts';
import { inOrder } from '../support/moments.ts';
import { mailTo, tracked } from '../support/simulator.ts';
import { kindOf, requestOf, requestsOf, timePasses, type Watched, watched, watchedMail } from './notified.ts';
import { isSignedWith } from './signatures.ts';

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
// The first repetition comes after about 5 seconds, whatever the target says of other things.
const REPETITION_MS = 20_000;
const TOLERANCE_SECONDS = 300;
const UNDISTURBED = 4;

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
      for (const name of HEADERS)
        t.require('webhooks.headers', request.headers[name] !== undefined, `the header ${name} is missing`);
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
      const happened = (await eventsOf(t, one.id)).filter(({ type }) => type === 'delivery');
      const ids = requestsOf(one)
        .filter((request) => kindOf(request) === 'delivery')
        .flatMap(({ headers }) => headers['webhook-id'] ?? []);
      const count = new Set(ids).size;
      const message = `expected ${happened.length} webhook-id for message.delivery, got ${count}`;
      t.require('webhooks.id-tells-repetitions', count <= happened.length, message);
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
      t.require('webhooks.same-id-on-repetition', isSame, `webhook-id was ${ids[0]}, and is ${ids[1]}`);
      const wasSaid = isDeepStrictEqual(first.json, second.json);
      const message = `repeated, ${show(first.json)} became ${show(second.json)}`;
      t.require('webhooks.repeated-until-2xx', wasSaid, message);
    },
  },
  {
    id: 'webhooks/not-repeated-after-success',
    title: 'Notifications that were answered 200 are not repeated while one that failed is',
    needs: ['webhooks', 'simulator.delivery'],
    async run(t) {
      const messages = Array.from({ length: UNDISTURBED }, () => mailTo(t, 'delivery'));
      const fine = await watched(t, messages);
      await Promise.all(fine.map((one) => requestOf(t, one, 'delivery')));
      await repeated(t, await failing(t, 500));
      const again = fine.filter((one) => requestsOf(one).length > 1);
      // One may come twice; all of them do not by chance.
      const message = `each of ${fine.length} notifications was repeated after it was answered 200`;
      t.require('webhooks.repeated-until-2xx', again.length < fine.length, message);
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
        const isInOrder = isDeepStrictEqual(times, inOrder(times));
        const message = `for one message came ${arrival.map(kindOf)}, of ${show(times)}`;
        t.require('webhooks.first-attempts-in-order', isInOrder, message);
      }
    },
  },
  {
    id: 'webhooks/redirect-is-not-followed',
    title: 'A notification that is answered with a redirect is repeated, and not sent to the other address',
    needs: ['webhooks', 'simulator.delivery'],
    async run(t) {
      const one = await failing(t, 302);
      const requirement = 'webhooks.redirect-is-failure';
      await repeated(t, one, requirement);
      const followed = one.receiver.all.filter(({ path }) => path === elsewhere(one));
      t.require(requirement, followed.length === 0, `the redirect to ${elsewhere(one)} was followed`);
    },
  },
];

function idOf({ headers, text }: Delivery): string {
  return headers['webhook-id'] ?? text;
}

/** A message whose first notification is answered so. */
async function failing(t: Tester, status: number): Promise<Watched> {
  const message = mailTo(t, 'delivery');
  (await t.receiver).answer(message.custom_id ?? '', [status]);
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
    t.fail(requirement, `the notification was answered ${first.status}, and not repeated with its payload`);
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
  const message = `no signature fits the id, the time and the body: ${show(request.headers['webhook-signature'])}`;
  t.require('webhooks.signature', isSignedWith(secret, request), message);
}

/** The time is that of the attempt: near to this machine's clock or, where the server's has been moved, to the event. */
function requireFresh(t: Tester, { headers, json }: Delivery): void {
  const header = headers['webhook-timestamp'] ?? '';
  const at = Number(header);
  const happened = Date.parse(String(valueAt(json, 'received_at'))) / 1000;
  const isFresh =
    /^\d+$/.test(header) &&
    [Date.now() / 1000, happened].some((moment) => Math.abs(at - moment) <= TOLERANCE_SECONDS);
  const message = `webhook-timestamp is ${header}, for an event of ${show(valueAt(json, 'received_at'))}`;
  t.require('webhooks.timestamp-of-the-attempt', isFresh, message);
}
