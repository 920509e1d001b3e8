import type { Dispatcher } from 'undici';

export interface ExchangeLimits {
  /** From the start to the status. */
  answerMs: number;
  /** From the status to the end of what is read of the body. */
  bodyMs: number;
}

/** What came of a request. */
export type HttpAnswer = HttpAnswered | { kind: 'timed out' } | HttpFailed;

export interface HttpAnswered {
  kind: 'answered';
  status: number;
  /** The header Retry-After, when there is one. */
  retryAfter: string | undefined;
  /** The beginning of the body. */
  body: Buffer;
}

export interface HttpFailed {
  kind: 'failed';
  /** Whether the other side had begun to answer. */
  hasBegun: boolean;
  error: unknown;
}

const MOST_OF_BODY_BYTES = 16 * 1024;
const FIRST_FINAL_STATUS = 200;

/**
 * One request and its answer, within limits that no receiver can stretch: a drop of a header every second does not help, and of a
 * body only the beginning is read. Then the connection is destroyed, unless the answer was complete.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits;
  readonly #settle: (answer: HttpAnswer) => void;
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #answered: Omit<HttpAnswered, 'body'> | undefined;
  #body: Buffer[] = [];
  #bodyBytes = 0;
  #hasBegun = false;
  #isOver = false;

  /** Sends the request over the dispatcher; `startedAt` is where the limit counts from (performance.now). */
  static run(
    dispatcher: Dispatcher,
    request: Dispatcher.DispatchOptions,
    limits: ExchangeLimits,
    startedAt: number,
  ): Promise<HttpAnswer> {
    return new Promise((resolve) => {
      const exchange = new Exchange(limits, startedAt, resolve);
      try {
        dispatcher.dispatch(request, exchange);
      } catch (error) {
        exchange.onResponseError(undefined, error);
      }
    });
  }

  private constructor(limits: ExchangeLimits, startedAt: number, settle: (answer: HttpAnswer) => void) {
    this.#limits = limits;
    this.#settle = settle;
    const leftMs = Math.max(0, startedAt + limits.answerMs - performance.now());
    this.#timer = setTimeout(() => this.#end({ kind: 'timed out' }), leftMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It was given up while it waited for a connection: it must not be sent late.
    if (this.#isOver) this.#abort();
  }

  onResponseStarted(): void {
    this.#hasBegun = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#isOver || status < FIRST_FINAL_STATUS) return;
    const retryAfter = headers['retry-after'];
    this.#answered = {
      kind: 'answered',
      status,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : retryAfter?.[0],
    };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#endAnswered(), this.#limits.bodyMs);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#body.push(chunk.subarray(0, MOST_OF_BODY_BYTES - this.#bodyBytes));
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes >= MOST_OF_BODY_BYTES) this.#endAnswered();
  }

  onResponseEnd(): void {
    // Complete: the connection can serve another request.
    this.#controller = undefined;
    this.#endAnswered();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: unknown): void {
    if (this.#answered === undefined) this.#end({ kind: 'failed', hasBegun: this.#hasBegun, error });
    else this.#endAnswered();
  }

  /** The status counts, whatever became of the body. */
  #endAnswered(): void {
    if (this.#answered !== undefined) this.#end({ ...this.#answered, body: Buffer.concat(this.#body) });
  }

  #end(answer: HttpAnswer): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#body = [];
    this.#settle(answer);
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new Error('No more of the answer is read.'));
  }
}
