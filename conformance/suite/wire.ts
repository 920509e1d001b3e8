import { setTimeout as delay } from 'node:timers/promises';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { Connection } from '../http/connection.ts';
import { type Exchange, type ReceivedResponse, type SentRequest, TransportFault } from '../http/exchange.ts';
import type { Pace } from '../http/pace.ts';

/** Who sends a request. */
export type Caller =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly account_id: string; readonly api_key: string }
  /** An Authorization header as it is, for what is not well-formed. */
  | { readonly kind: 'header'; readonly value: string };

const ATTEMPTS = 5;
const PAUSE_MS = 800;

type QueryValue = string | number | boolean;

/** A request in the terms of the contract. What is hostile may stand anywhere. */
export interface Call {
  /** undefined: an endpoint that the contract does not know; then `method` and `rawPath` say which. */
  readonly operation: OperationId | undefined;
  readonly method?: string;
  readonly rawPath?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly rawBody?: string | Buffer;
  /** Beside those that go with the call, or in their place; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly as: Caller;
}

/** Sends calls, at the pace that the server allows, and tells an observer of everything that went over the wire. */
export interface Wire {
  send(call: Call): Promise<Exchange>;
}

/** `prefix` is the path of the target's address; `observe` sees every request, those answered 429 included. */
export function createWire(options: {
  connection: Connection;
  prefix: string;
  pace: Pace;
  observe: (exchange: Exchange, call: Call) => void;
}): Wire {
  const { connection, prefix, pace, observe } = options;
  let isThere = false;
  return {
    async send(call) {
      const request = requestOf(call, prefix);
      const caller = request.headers.authorization ?? '';
      for (;;) {
        await pace.turn(caller);
        const exchange = await patiently(() => exchangeOf(connection, call.operation, request), isThere);
        isThere = true;
        observe(exchange, call);
        if (exchange.response?.status !== 429) return exchange;
        pace.slowDown(caller, exchange.response.headers['retry-after']);
      }
    },
  };
}

/** A server that was there may be restarting: it gets a few seconds to come back. */
async function patiently<T>(exchange: () => Promise<T>, wasThere: boolean): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await exchange();
    } catch (error) {
      if (!(error instanceof TransportFault) || !wasThere || attempt === ATTEMPTS) throw error;
      await delay(PAUSE_MS);
    }
  }
}

async function exchangeOf(
  connection: Connection,
  operation: OperationId | undefined,
  request: SentRequest,
): Promise<Exchange> {
  try {
    const response: ReceivedResponse = await connection.send(request);
    return { operation, request, response, fault: undefined };
  } catch (error) {
    if (!(error instanceof TransportFault) || error.kind === 'refused') throw error;
    return { operation, request, response: undefined, fault: error.message };
  }
}

/** The request that a call means. */
export function requestOf(call: Call, prefix: string): SentRequest {
  const known = call.operation === undefined ? undefined : operations[call.operation];
  const template = call.rawPath ?? known?.path ?? '/';
  const path = template.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(call.path?.[name] ?? ''),
  );
  const body = bodyOf(call);
  const authorization = authorizationOf(call.as);
  return {
    method: (call.method ?? known?.method ?? 'get').toUpperCase(),
    path: `${prefix}${path}${queryOf(call)}`,
    headers: present({
      accept: '*/*',
      'user-agent': 'sendspec-conformance',
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json; charset=utf-8', 'content-length': String(body.length) }),
      ...call.headers,
    }),
    body,
  };
}

function present(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return Object.fromEntries(given);
}

function bodyOf({ body, rawBody }: Call): Buffer | undefined {
  if (rawBody !== undefined) return Buffer.from(rawBody);
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body));
}

function queryOf({ query = {} }: Call): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (value === undefined ? [] : [value].flat()).map(
      (one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one).toWellFormed())}`,
    ),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function authorizationOf(caller: Caller): string | undefined {
  switch (caller.kind) {
    case 'nobody':
      return undefined;
    case 'bearer':
      return `Bearer ${caller.token}`;
    case 'basic':
      return `Basic ${Buffer.from(`${caller.account_id}:${caller.api_key}`).toString('base64')}`;
    case 'header':
      return caller.value;
  }
}
