import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Contract } from '../server/contract/contract.ts';
import { LINGER } from '../server/http/answer.ts';
import { BODY_LIMITS, type BodyLimits } from '../server/http/body.ts';
import { createCors } from '../server/http/cors.ts';
import { Endpoints } from '../server/http/endpoints.ts';
import { Exchange } from '../server/http/exchange.ts';
import { checkHeaders } from '../server/http/header-limit.ts';
import { readJsonBody } from '../server/http/json-body.ts';
import { rateLimitHeaders } from '../server/http/rate-limit.ts';
import { Sender } from '../server/http/sender.ts';
import type { Logger } from '../server/operations/logger.ts';
import type { Answers } from './answers.ts';
import { checkCredentials } from './authentication.ts';
import { checkLogin } from './login.ts';
import { NO_METRICS } from './no-metrics.ts';
import type { Wish } from './prefer.ts';
import { checkRules } from './rules.ts';

/** What the mock is put together from. */
export interface MockParts {
  contract: Contract;
  answers: Answers;
  logger: Logger;
  bodyLimits?: BodyLimits;
}

const LIMIT = { limit: 600, remaining: 599, resetSeconds: 42 };
const REACHED = { ...LIMIT, remaining: 0 };
const ANY_ORIGIN = ['*'];
const REQUEST_HEADERS = 'Authorization, Content-Type, Prefer';
const TOO_MANY_REQUESTS = 429;

/**
 * The mock as a request listener. Requests are checked by the server's own parts in the server's order, and every answer is held against the
 * contract by the server's sender. An error that is wished for comes where its status has its place: what fails before it fails before it.
 */
export function createMockApp({
  contract,
  answers,
  logger,
  bodyLimits = BODY_LIMITS,
}: MockParts): RequestListener {
  const cors = createCors(ANY_ORIGIN);
  const endpoints = new Endpoints(contract.operations);
  const sender = new Sender(contract, logger, NO_METRICS, LINGER);

  // Its 422 comes before the 401, and tells the limit as each 422 does.
  function wishOf(exchange: Exchange, operationId: string): Wish {
    try {
      return answers.wishOf(operationId, String(exchange.request.headers.prefer ?? ''));
    } catch (error) {
      exchange.carry(rateLimitHeaders({ allowed: true, ...LIMIT }));
      throw error;
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = new Exchange(request, response);
    try {
      exchange.carry(cors.headersFor(request));
      const preflight = cors.preflight(request);
      if (preflight !== undefined) {
        return sender.sendEmpty(exchange, 200, {
          ...preflight,
          'Access-Control-Allow-Headers': REQUEST_HEADERS,
        });
      }
      checkHeaders(request); // 400 of a request that is none yet
      const found = endpoints.find(request.method ?? '', request.url ?? '');
      if (found === undefined) return sender.sendUnknownEndpoint(exchange); // 404
      const operation = found.endpoint;
      exchange.operation = operation;

      const wish = wishOf(exchange, operation.id); // 422 for the header
      const error = await answers.wishedError(operation, wish);
      const comes = (...statuses: readonly number[]) => {
        if (error !== undefined && statuses.includes(error.status)) throw error;
      };
      if (operation.security !== 'none') comes(401);
      checkCredentials(operation, request.headers.authorization); // 401
      exchange.carry(rateLimitHeaders({ allowed: true, ...LIMIT }));
      if (error?.status === TOO_MANY_REQUESTS)
        exchange.carry(rateLimitHeaders({ allowed: false, ...REACHED }));
      comes(429, 400);
      const body = await readJsonBody(exchange, bodyLimits); // 400, and 422 for a body that is too long
      const checked = operation.request.check({ path: found.path, query: found.query, body }); // 422
      comes(403);
      checkRules(operation, checked); // 422
      if (error !== undefined) throw error; // 422 of a request that is right, 409, 500, and 401 of a login
      checkLogin(operation, answers.requestExamples(operation.id), checked.body); // 401
      const { reply, headers } = await answers.success(operation, wish, checked);
      exchange.carry({ ...headers, ...exchange.headers });
      await sender.send(exchange, reply);
    } catch (error) {
      sender.sendError(exchange, error);
    }
  }

  return (request, response) => void answer(request, response);
}
