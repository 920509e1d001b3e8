import { type Agent, request } from 'node:http';
import { judge } from './judge.ts';

// For tests through the front door: one request, exactly as it was written, and the judged answer.

/** What a request may carry. */
export interface CallOptions {
  /** An access token. */
  token?: string | undefined;
  /** An account and one of its API keys. */
  basic?: { account_id: string; api_key: string } | undefined;
  /** A list stands for a parameter that is repeated. */
  query?: Record<string, QueryValue | readonly QueryValue[] | undefined> | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  rawBody?: string | Uint8Array | undefined;
  /** They go over those that would be sent. */
  headers?: Record<string, string> | undefined;
}
type QueryValue = string | number | boolean;

/** An answer that the contract allows. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body when it is JSON. Its parts under the names of the envelope follow. */
  json: unknown;
  data: unknown;
  meta: unknown;
  /** The code and the faults of an error. */
  code: unknown;
  errors: unknown;
}

/** Everything that a caller could tell two answers apart by, but for the times that differ by nature. */
export function told({ status, headers, data }: Answer): unknown {
  return { status, data, headers: [...headers].filter(([name]) => name !== 'date') };
}

/** Sends a request and gives the answer. */
export type Call = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

/** Sends requests to a port of the loopback. Rejects when an answer breaks the contract. */
export function createCall(port: number, agent: Agent): Call {
  return async (method, path, options = {}) => {
    const target = path + searchOf(options.query);
    const payload =
      options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const answer = await send(agent, { port, method, path: target, headers: headersOf(options) }, payload);
    judge(method, target, answer);
    const json = isJson(answer.headers) && answer.text !== '' ? JSON.parse(answer.text) : undefined;
    const { data, meta } = Object(json);
    const { code, errors } = Object(data);
    return { ...answer, json, data, meta, code, errors };
  };
}

function isJson(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('application/json') ?? false;
}

function searchOf(query: CallOptions['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (value === undefined ? [] : [value].flat()).map((one) => [name, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function headersOf({ token, basic, body, headers }: CallOptions): Record<string, string> {
  return {
    ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(basic === undefined ? {} : { authorization: basicAuthorization(basic) }),
    ...headers,
  };
}

function basicAuthorization({ account_id, api_key }: { account_id: string; api_key: string }): string {
  return `Basic ${Buffer.from(`${account_id}:${api_key}`).toString('base64')}`;
}

function send(
  agent: Agent,
  to: { port: number; method: string; path: string; headers: Record<string, string> },
  payload: string | Uint8Array | undefined,
): Promise<{ status: number; headers: Headers; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...to, agent, host: '127.0.0.1' }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const headers = new Headers();
        for (const [name, values = []] of Object.entries(response.headersDistinct)) {
          for (const value of values) headers.append(name, value);
        }
        resolve({ status: response.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}
