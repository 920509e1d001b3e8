import type { OperationId } from '../../../generated/operations.ts';
import { findOperation, operations } from '../../contract/document.ts';
import type { Answer } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import type { Caller } from '../../suite/wire.ts';
import { callAboutNothing } from '../authentication/guarded.ts';
import { unknownId } from '../support/made.ts';
import { requireStatus } from '../support/refused.ts';

const CORE = operations.filter(({ origin }) => origin === 'core');
// Many web servers answer a HEAD by themselves.
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
// A day on which nothing was sent: what is listed or exported is next to nothing.
const LONG_AGO = { period_from: '2001-01-01', period_to: '2001-01-01' };
// Beyond what most web servers take. A server may have other limits, or none.
const LONG_URL = 40_000;
const LONG_HEADER = 200_000;
const ENDPOINTS = [
  'conventions.endpoints',
  'conventions.paths-begin-with-v1',
  'conventions.version-in-path',
  'http.only-unknown-endpoints-404',
];

/** Who may call what is at a path; ending the session of others is no part of it. */
async function callersOf(t: Tester): Promise<Record<'none' | 'basic' | 'bearer', Caller>> {
  return {
    none: { kind: 'nobody' },
    basic: { kind: 'basic', ...t.tenant.account },
    bearer: await t.login(),
  };
}

/** Every path of the description with unknown ids in it, and each method that it does not have. */
function wrongMethods(): { method: string; path: string; security: 'none' | 'basic' | 'bearer' }[] {
  const known = new Map(CORE.map(({ path, security }) => [path, security]));
  return [...known].flatMap(([template, security]) => {
    const path = template.replace(/\{\w+\}/g, unknownId);
    return METHODS.filter((method) => findOperation(method, path) === undefined).map((method) => ({
      method,
      path,
      security,
    }));
  });
}

/** What is answered to a request without TLS; undefined when there is no answer. */
async function unencrypted(t: Tester, address: URL) {
  try {
    return await t.visit(address.href);
  } catch (error) {
    if (error instanceof SetupFailed) return undefined;
    throw error;
  }
}

/** Which endpoints there are, and that there are no others. */
export const endpoints: readonly Check[] = [
  {
    id: 'conventions/only-https',
    title: 'The API does not answer a request without TLS',
    async run(t) {
      const address = new URL(`${t.target.base_url.replace(/\/+$/, '')}/v1/accounts`);
      const requirement = 'conventions.only-https';
      if (address.protocol === 'http:') {
        t.inform(requirement, 'base_url is http: where the connection is encrypted cannot be seen from here');
        return;
      }
      address.protocol = 'http:';
      const answer = await unencrypted(t, address);
      if (answer === undefined) return;
      // A refusal of the web server, or a redirect to the encrypted address, is not the API.
      const isTheApi = answer.status < 300 || answer.status === 401;
      t.require(
        requirement,
        !isTheApi,
        `GET ${address.href} without TLS was answered ${answer.status} by the API`,
      );
    },
  },
  {
    id: 'conventions/every-endpoint-exists',
    title: 'Every endpoint of the description is there, below /v1',
    async run(t) {
      const callers = await callersOf(t);
      // The session ends with the logout.
      const last = CORE.filter(({ id }) => id === 'logout');
      for (const { id, security } of [...CORE.filter(({ id }) => id !== 'logout'), ...last]) {
        const answer = await callAboutNothing(t, id, { as: callers[security], query: LONG_AGO });
        t.require(
          ENDPOINTS,
          ![404, 405, 501].includes(answer.status),
          `${id} was answered ${answer.status}, as if there were no such endpoint`,
          answer,
        );
      }
    },
  },
  {
    id: 'conventions/unknown-endpoint-404',
    title: 'A path that is no endpoint is 404, whatever is sent to it',
    async run(t) {
      const as = await t.login();
      const unknown: [string, string][] = [
        ['GET', `/v1/${t.unique('nothing')}`],
        ['POST', `/v1/${t.unique('nothing')}`],
        ['GET', `/v1/accounts/${unknownId()}/${t.unique('nothing')}`],
        ['GET', `/v1/messages/${unknownId()}/events/${unknownId()}`],
        ['POST', `/v1/domains/${unknownId()}/verify`],
        ['POST', '/v1/send_emails'],
        ['GET', '/v1/statistics'],
      ];
      for (const [method, path] of unknown) {
        const body = method === 'POST' ? { body: {} } : {};
        const answer = await t.request(method, path, { as, ...body });
        requireStatus(t, 'http.unknown-endpoint-404', answer, 404, `${method} ${path}`);
      }
    },
  },
  {
    id: 'conventions/wrong-method-404',
    title: 'A method that a path does not have is 404, HEAD included',
    async run(t) {
      const callers = await callersOf(t);
      const answers = await Promise.all(
        wrongMethods().map(async ({ method, path, security }) => ({
          answer: await t.request(method, path, { as: callers[security] }),
          what: `${method} ${path}`,
        })),
      );
      for (const { answer, what } of answers) requireStatus(t, 'http.wrong-method-404', answer, 404, what);
    },
  },
  {
    id: 'conventions/over-long-url-and-headers',
    title: 'What becomes of a URL and of a header block that are too long',
    async run(t) {
      const as = await t.login();
      const url = await t.exchange('GET', `/v1/${'x'.repeat(LONG_URL)}`, { as });
      const headers = { 'x-padding': 'x'.repeat(LONG_HEADER) };
      const block = await t.exchange('GET', '/v1/accounts', { as, headers });
      const came = ({ response, fault }: typeof url) => response?.status ?? `nothing (${fault})`;
      t.inform('http.over-long-request', `a path of ${LONG_URL} characters is answered ${came(url)}`);
      t.inform('http.over-long-request', `a header of ${LONG_HEADER} characters is answered ${came(block)}`);
    },
  },
  {
    id: 'conventions/rate-limit-headers',
    title: 'Whether answers tell of the rate limit',
    async run(t) {
      const calls: [OperationId, LooseCall][] = [
        ['listAccounts', { query: { limit: 1 } }],
        ['getAccount', { path: { account_id: unknownId() } }],
        ['sendEmail', { body: {} }],
        ['login', { body: {} }],
      ];
      for (const [operation, call] of calls) {
        const answer = await t.call(operation, call);
        t.inform('limits.rate-limit-headers', `${operation} is answered with ${limitIn(answer)}`);
      }
    },
  },
];

function limitIn({ headers }: Answer): string {
  const told = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].filter(
    (name) => headers[name] !== undefined,
  );
  return told.length === 0 ? 'no header of a rate limit' : told.join(', ');
}
