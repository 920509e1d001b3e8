import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationContract } from '../contract/contract.ts';
import type { Headers } from './answer.ts';

/** One request and its answer: what is known about it so far. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Undefined until the endpoint is known, and for ever when there is none. */
  operation: OperationContract | undefined;
  /** Headers that every answer from here on carries. */
  headers: Headers = {};
  readonly #startedAt = performance.now();
  #id: string | undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
  }

  /** Names the exchange in the log, and in the answer when the server is at fault. */
  get id(): string {
    this.#id ??= randomUUIDv7();
    return this.#id;
  }

  get operationName(): string {
    return this.operation?.id ?? 'unknown';
  }

  /** Since the request's headers had arrived. */
  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  /** Adds headers that every answer from here on carries. */
  carry(headers: Headers): void {
    this.headers = { ...this.headers, ...headers };
  }
}
