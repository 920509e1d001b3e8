import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Express } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { createApp } from '../../server/app.ts';
import { loadContract } from '../../server/contract/contract.ts';
import type { Handlers } from '../../server/contract/handlers.ts';
import { createRateLimiter } from '../../server/http/rate-limit.ts';
import { createLogger } from '../../server/operations/logger.ts';
import { createMetrics } from '../../server/operations/metrics.ts';
import { type Arm, type ArmParts, nothing, PAGE_SIZE } from './parts.ts';

// High enough never to be reached, yet every request is counted.
const NO_LIMIT = 100_000_000;
const BODY_LIMIT = '50mb';
const BUNDLE = new URL('../../generated/openapi.json', import.meta.url).pathname;

/** The request listener of an arm. */
export function listenerOf(arm: Arm, parts: ArmParts): RequestListener {
  if (arm === 'sendspec') return sendspec(parts);
  return arm === 'express' ? bareExpress(parts) : expressWithValidator(parts);
}

/** The whole pipeline of the service, with rate limit, metrics and log. */
function sendspec({ handlers, authenticate }: ArmParts): RequestListener {
  const others: Handlers = nothing();
  return createApp({
    contract: loadContract(),
    handlers: { ...others, ...handlers },
    authenticate,
    rateLimiter: createRateLimiter(NO_LIMIT),
    logger: createLogger('error'),
    metrics: createMetrics(),
  });
}

/** As one writes it without thinking about contracts. */
function bareExpress(parts: ArmParts): Express {
  const app = express();
  app.use(express.json({ limit: BODY_LIMIT }));
  addRoutes(app, parts);
  return app;
}

/** The usual answer to the same task: requests and responses checked against the same document. */
function expressWithValidator(parts: ArmParts): Express {
  const app = express();
  app.use(express.json({ limit: BODY_LIMIT }));
  app.use(
    OpenApiValidator.middleware({
      apiSpec: BUNDLE,
      validateRequests: true,
      validateResponses: true,
      validateSecurity: false,
    }),
  );
  addRoutes(app, parts);
  const reportFault: ErrorRequestHandler = (error, _request, response, _next) => {
    console.error(error);
    response.status(500).end();
  };
  app.use(reportFault);
  return app;
}

function addRoutes(app: Express, { handlers, authenticate }: ArmParts): void {
  app.get('/v1/messages', async (request, response) => {
    const startedAt = performance.now();
    const caller = await authenticate('bearer', request.headers.authorization);
    if (caller.kind !== 'user') throw new Error('not a user');
    const { limit = PAGE_SIZE, offset = 0 } = request.query;
    const query = { limit: Number(limit), offset: Number(offset) };
    const { status, body } = await handlers.listMessages({ query, caller });
    const seconds = (performance.now() - startedAt) / 1000;
    response.status(status).json({ ...body, meta: { ...body.meta, rq_time: `${seconds.toFixed(4)}s` } });
  });
  app.post('/v1/send_email', async (request, response) => {
    const caller = await authenticate('basic', request.headers.authorization);
    if (caller.kind !== 'account') throw new Error('not an account');
    const { status, body } = await handlers.sendEmail({ body: request.body, caller });
    response.status(status).json(body);
  });
}
