import type { CheckOutcome } from './model.ts';
import { counted } from './text.ts';

/** Where progress is written: a terminal, or a log. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Tells while a run goes on how far it is. */
export interface Progress {
  /** So many checks will run; `requests` tells how many requests were sent by now. */
  start(checks: number, requests: () => number): void;
  checkEnded(id: string, outcome: CheckOutcome): void;
  /** The server asks for patience. */
  waiting(seconds: number): void;
  /** Nothing more will come; clears what was only meant for the moment. */
  stop(): void;
}

// A terminal gets one line that changes; a log, where every line stays, gets one now and then.
const TERMINAL_PAUSE_MS = 100;
const LOG_PAUSE_MS = 10_000;
const CLEAR_LINE = '\r\u001b[2K';

/** Writes to the stream how far a run is, and what has failed so far. `now` tells milliseconds. */
export function createProgress(
  stream: ProgressStream,
  now: () => number = () => performance.now(),
): Progress {
  const isTerminal = stream.isTTY === true;
  const pause = isTerminal ? TERMINAL_PAUSE_MS : LOG_PAUSE_MS;
  const state = {
    total: 0,
    done: 0,
    failed: 0,
    requests: () => 0,
    writtenAt: Number.NEGATIVE_INFINITY,
    isShown: false,
  };

  const show = (note = ''): void => {
    const failed = state.failed > 0 ? `, ${state.failed} failed` : '';
    const line = `${state.done}/${state.total} checks, ${counted(state.requests(), 'request')}${failed}${note}`;
    state.writtenAt = now();
    state.isShown = isTerminal;
    stream.write(isTerminal ? `${CLEAR_LINE}${line.slice(0, (stream.columns ?? 80) - 1)}` : `${line}\n`);
  };
  const showUnlessJustNow = (note?: string): void => {
    if (now() - state.writtenAt >= pause) show(note);
  };
  const keep = (line: string): void => {
    if (state.isShown) stream.write(CLEAR_LINE);
    state.isShown = false;
    stream.write(`${line}\n`);
  };

  return {
    start(checks, requests) {
      state.total = checks;
      state.requests = requests;
      show();
    },
    checkEnded(id, outcome) {
      state.done += 1;
      if (outcome === 'failed' || outcome === 'error') {
        state.failed += 1;
        keep(`${outcome === 'failed' ? 'failed' : 'suite error'}: ${id}`);
        if (isTerminal) show();
      }
      if (state.done === state.total) show();
      else showUnlessJustNow();
    },
    waiting(pauseSeconds) {
      showUnlessJustNow(`, waiting ${Math.ceil(pauseSeconds)} s for the rate limit`);
    },
    stop() {
      if (state.isShown) stream.write(CLEAR_LINE);
      state.isShown = false;
    },
  };
}
