import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express from 'express';
import type { Contract, OperationContract } from './contract/contract.ts';
import type { Caller, Handlers } from './contract/handlers.ts';
import { ApiError } from './domain/errors.ts';
import { LINGER, type LingerLimits } from './http/answer.ts';
import type { Authenticate } from './http/authentication.ts';
import { BODY_LIMITS, type BodyLimits } from './http/body.ts';
import { addressKey, clientAddress } from './http/client-address.ts';
import { createCors } from './http/cors.ts';
import { Endpoints } from './http/endpoints.ts';
import { Exchange } from './http/exchange.ts';
import { checkHeaders } from './http/header-limit.ts';
import { readJsonBody } from './http/json-body.ts';
import { type RateLimiter, rateLimitHeaders } from './http/rate-limit.ts';
import { type AnyReply, Sender } from './http/sender.ts';
import type { Logger } from './operations/logger.ts';
import type { Metrics } from './operations/metrics.ts';

/** What the API is put together from. */
export interface AppParts {
  contract: Contract;
  handlers: Handlers;
  authenticate: Authenticate;
  rateLimiter: RateLimiter;
  logger: Logger;
  metrics: Metrics;
  /** Origins whose pages may call from a browser; none by default. */
  corsOrigins?: readonly string[];
  /** Whether X-Forwarded-For is the word of a trusted proxy. */
  trustProxy?: boolean;
  bodyLimits?: BodyLimits;
  linger?: LingerLimits;
}

/** The API as a request listener. What it answers is always the contract's: nobody else, Express included, ever sends anything. */
export function createApp(parts: AppParts): RequestListener {
  const { contract, handlers, authenticate, rateLimiter } = parts;
  const { trustProxy = false, bodyLimits = BODY_LIMITS } = parts;
  const cors = createCors(parts.corsOrigins ?? []);
  const endpoints = new Endpoints(contract.operations);
  const sender = new Sender(contract, parts.logger, parts.metrics, parts.linger ?? LINGER);

  /** The order of these checks is the order of the statuses. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = new Exchange(request, response);
    try {
      exchange.carry(cors.headersFor(request));
      const preflight = cors.preflight(request);
      if (preflight !== undefined) return sender.sendEmpty(exchange, 200, preflight);

      checkHeaders(request); // 400 of a request that is none yet
      const found = endpoints.find(request.method ?? '', request.url ?? '');
      if (found === undefined) return sender.sendUnknownEndpoint(exchange); // 404
      const operation = found.endpoint;
      exchange.operation = operation;
      const caller = await identify(operation, request); // 401
      await limit(exchange, caller); // 429
      const body = await readJsonBody(exchange, bodyLimits); // 400, and 422 for a body that is too long
      const checked = operation.request.check({ path: found.path, query: found.query, body }); // 422
      permit(operation, caller); // 403
      const reply = await call(operation, { ...checked, caller }); // 403 and 409 by the rules of the service, 2xx
      await sender.send(exchange, reply);
    } catch (error) {
      sender.sendError(exchange, error);
    }
  }

  async function identify(
    operation: OperationContract,
    request: IncomingMessage,
  ): Promise<Caller | undefined> {
    if (operation.security === 'none') return undefined;
    return authenticate(operation.security, request.headers.authorization);
  }

  async function limit(exchange: Exchange, caller: Caller | undefined): Promise<void> {
    const key = callerKey(caller) ?? `address:${addressKey(clientAddress(exchange.request, trustProxy))}`;
    const allowance = await rateLimiter.spend(key);
    exchange.carry(rateLimitHeaders(allowance));
    if (!allowance.allowed) throw new ApiError('RATE_LIMIT_EXCEEDED', 'too many requests within a minute');
  }

  function call(operation: OperationContract, request: unknown): Promise<AnyReply> {
    // The contract has checked that the request is what this operation's handler takes.
    const handler = handlers[operation.id] as (request: unknown) => Promise<AnyReply>;
    return handler(request);
  }

  const app = express();
  app.disable('x-powered-by');
  app.use(answer);
  // Express passes over a target that it cannot read, such as `http://[`, and unless told otherwise answers it itself.
  const entrance: (...call: [...Parameters<RequestListener>, passedOver: () => void]) => void = app;
  return (request, response) => entrance(request, response, () => void answer(request, response));
}

/** A viewer reads, and a disabled account sends nothing. An operation that is documented to refuse nobody (logging out) refuses nobody. */
function permit(operation: OperationContract, caller: Caller | undefined): void {
  if (caller === undefined || !operation.refusesCallers) return;
  if (caller.kind === 'account' && caller.status === 'disabled') {
    throw new ApiError('ACCESS_DENIED', 'the account is disabled');
  }
  if (caller.kind === 'user' && caller.role === 'viewer' && operation.method !== 'GET') {
    throw new ApiError('ACCESS_DENIED', 'a viewer may not change anything');
  }
}

function callerKey(caller: Caller | undefined): string | undefined {
  if (caller === undefined) return undefined;
  return caller.kind === 'user' ? `user:${caller.userId}` : `account:${caller.accountId}`;
}
