import { accountOf, sessionOf, Unauthorized } from './authenticate.ts';
import type { Answer, Call } from './call.ts';
import type { RateLimit } from './rate-limit.ts';
import { invalid, Refusal, refuse } from './refusal.ts';
import { type Match, match } from './routes.ts';
import type { World } from './state.ts';
import { problem } from './validate.ts';

const MEGABYTE = 2 ** 20;
const MOST_BYTES = MEGABYTE;
const MOST_BYTES_SENDING = 50 * MEGABYTE;
const LONGEST_URL = 16_384;

/** A request as it came, its body still to be read. */
export interface Request {
  method: string;
  url: string;
  authorization: string;
  contentType: string;
  client: string;
  /** At most so many bytes; undefined when there are more. */
  readBody(most: number): Promise<Buffer | undefined>;
}

/** An answer, and what it is the answer to. */
export interface Routed {
  answer: Answer;
  match: Match | undefined;
}

/** Answers a request. The order of the steps is that of the statuses: 404, 401, 429, 400, 422, 403, 409. */
export async function route(world: World, limits: RateLimit, request: Request): Promise<Routed> {
  const { pathname, searchParams } = readUrl(request.url);
  const found = match(request.method, pathname);
  if (found === undefined) return { answer: unknownEndpoint(world, pathname), match: undefined };
  let rates: Record<string, string> = {};
  try {
    const call = { world, operationId: found.operationId, path: found.path, query: searchParams };
    if (world.has('http.body-before-who')) await readJson(world, found, request);
    const { caller, run } = identify(found, call, request);
    rates = limits.count(caller);
    const body = found.route.hasBody ? await readJson(world, found, request) : undefined;
    const answer = run(body);
    return { answer: { ...answer, headers: { ...rates, ...answer.headers } }, match: found };
  } catch (error) {
    const answer = refused(world, error);
    const isStranger = error instanceof Unauthorized;
    const headers =
      error instanceof Refusal && error.status === 429 ? limits.exceeded() : isStranger ? {} : rates;
    return { answer: { ...answer, headers: { ...headers, ...answer.headers } }, match: found };
  }
}

function readUrl(url: string): { pathname: string; searchParams: URLSearchParams } {
  const [pathname = '', ...query] = url.length > LONGEST_URL ? [''] : url.split('?');
  return { pathname, searchParams: new URLSearchParams(query.join('?')) };
}

function unknownEndpoint(world: World, pathname: string): Answer {
  if (world.has('http.unknown-endpoint-is-html')) {
    return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not Found</h1>' };
  }
  if (world.has('http.unknown-endpoint-is-200')) return { status: 200, body: { data: null, meta: {} } };
  const isKnownPath = ['GET', 'POST', 'PATCH', 'DELETE'].some(
    (method) => match(method, pathname) !== undefined,
  );
  const status = isKnownPath && world.has('http.wrong-method-is-405') ? 405 : 404;
  return refused(world, refuse(status, 'ENDPOINT_NOT_FOUND', 'there is no such endpoint'));
}

type Bodiless = Omit<Call, 'body'>;

/** Who asks, and the operation with all but the body. Throws a 401. */
function identify({ route }: Match, call: Bodiless, { authorization, client }: Request) {
  const { world, operationId } = call;
  switch (route.auth) {
    case 'none':
      return { caller: `client ${client}`, run: (body: unknown) => route.handle({ ...call, body }) };
    case 'bearer': {
      const { user, session } = sessionOf(world, operationId, authorization);
      const run = (body: unknown) => route.handle({ ...call, body, user, session });
      return { caller: `user ${user.user_id}`, run };
    }
    case 'basic': {
      const { account, key } = accountOf(world, authorization);
      const run = (body: unknown) => route.handle({ ...call, body, account, key });
      return { caller: `account ${account.account_id}`, run };
    }
  }
}

async function readJson(world: World, { operationId }: Match, request: Request): Promise<unknown> {
  const most = operationId === 'sendEmail' ? MOST_BYTES_SENDING : MOST_BYTES;
  const bytes = await request.readBody(most);
  if (bytes === undefined) throw tooLarge(operationId === 'sendEmail', most);
  if (world.has('http.content-type-enforced') && !request.contentType.includes('json')) {
    throw refuse(400, 'INVALID_JSON', 'the content type must be application/json');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const body: unknown = JSON.parse(text);
    refuseUnlucky(world, text);
    return body;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
    if (world.has('http.invalid-json-is-500')) throw new Error('The body could not be read.');
    if (world.has('http.invalid-json-is-empty')) return {};
    if (world.has('http.invalid-json-is-422'))
      throw invalid(problem('', '', 'OBJECT', 'must be JSON').problems);
    throw refuse(400, 'INVALID_JSON', 'the body is not JSON');
  }
}

/** Where careless servers fail. */
function refuseUnlucky(world: World, text: string): void {
  if (world.has('http.quote-is-500') && text.includes("'")) throw new Error('A quote ended the statement.');
  if (world.has('http.emoji-is-500') && /[\u{10000}-\u{10FFFF}]/u.test(text))
    throw new Error('The column is too narrow.');
}

function tooLarge(isSending: boolean, most: number): Refusal {
  const description = `a request may have at most ${most} bytes`;
  if (!isSending) return invalid(problem('', '', 'MAX', description).problems);
  return new Refusal(422, 'VALIDATION_ERROR', [{ code: 'MAX', description }]);
}

function refused(world: World, error: unknown): Answer {
  if (!(error instanceof Refusal))
    return refused(world, refuse(500, 'INTERNAL_SERVER_ERROR', 'an internal failure'));
  const { status, code, errors } = error;
  const body = { data: { code, errors }, meta: {} };
  if (!(error instanceof Unauthorized))
    return { status, body, ...(code === 'INVALID_CREDENTIALS' ? challenged('Bearer') : {}) };
  return { status, body, ...(world.has('http.challenge-missing') ? {} : challenged(error.scheme)) };
}

function challenged(scheme: string): { headers: Record<string, string> } {
  return { headers: { 'www-authenticate': `${scheme} realm="api"` } };
}
