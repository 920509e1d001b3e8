import { type buildConnector, Pool } from 'undici';
import { MOST_CONNECTIONS } from './endpoint-pace.ts';
import { Exchange, type ExchangeLimits, type HttpAnswer } from './exchange.ts';
import { isBrokenConnection } from './transport-faults.ts';

/** What is posted. */
export interface HttpPost {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The connections to one endpoint: no other endpoint waits for them, not even one of the same host. */
export interface HttpLine {
  /** Posts and returns what came of it; never rejects. Redirects are not followed, proxies of the environment are not used. */
  post(request: HttpPost): Promise<HttpAnswer>;
  /** Ends its connections, and what is on its way over them. */
  destroy(): void;
}

export interface HttpSenderOptions {
  connect: buildConnector.connector;
  limits: ExchangeLimits;
}

const IDLE_CONNECTION_MS = 4_000;
const LONGEST_IDLE_MS = 10_000;

/** Opens a line; it connects when it is used, and keeps connections alive between requests. */
export function openLine({ connect, limits }: HttpSenderOptions): HttpLine {
  let pool: Pool | undefined;
  let origin = '';
  let hasAnswered = false;

  function poolFor(url: URL): Pool {
    if (pool !== undefined && url.origin === origin) return pool;
    void pool?.close();
    origin = url.origin;
    hasAnswered = false;
    pool = new Pool(url.origin, {
      connect,
      pipelining: 1,
      connections: MOST_CONNECTIONS,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAliveMaxTimeout: LONGEST_IDLE_MS,
      // The exchange has a limit of its own, from the first moment to the last.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return pool;
  }

  return {
    async post({ url, headers, body }) {
      const target = URL.parse(url);
      if (target === null) return { kind: 'failed', hasBegun: false, error: new Error('this is no URL') };
      const request = { path: target.pathname + target.search, method: 'POST', headers, body };
      const startedAt = performance.now();
      const exchange = () => Exchange.run(poolFor(target), request, limits, startedAt);
      let answer = await exchange();
      // A kept connection may be closed by the other side just when it is used: that says nothing about the receiver (DECISIONS,
      // notifications-closed-connections).
      if (hasAnswered && answer.kind === 'failed' && !answer.hasBegun && isBrokenConnection(answer.error))
        answer = await exchange();
      hasAnswered = answer.kind === 'answered';
      return answer;
    },
    destroy: () => void pool?.destroy(),
  };
}
