import { watch } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import express from 'express';
import type { Problem } from './steps.ts';

export interface PreviewOptions {
  /** What is watched. */
  readonly folder: string;
  /** Where `build` puts the site. */
  readonly output: string;
  /** 0 for any free one. */
  readonly port: number;
  lint(): Promise<readonly Problem[]>;
  /** @throws Error that says why nothing could be built. */
  build(): Promise<void>;
}

/** What people see beside the site. */
export interface PreviewState {
  readonly phase: 'working' | 'done';
  readonly problems: readonly Problem[];
  /** Why the site shows an older state; absent when it does not. */
  readonly failure?: string;
  /** How often the site has been built. */
  readonly builds: number;
}

export interface Preview {
  readonly url: string;
  close(): Promise<void>;
}

/** Of the many events of one save the first starts the work. */
const SETTLE_MS = 100;
const LOOPBACK = '127.0.0.1';
const SHELL = new URL('shell/', import.meta.url).pathname;

/**
 * Serves the docs of the contract while it is edited: each change below the folder lints and builds anew, and every open page
 * shows the result.
 * @throws Error when the port is taken.
 */
export async function startPreview(options: PreviewOptions): Promise<Preview> {
  const pages = new Set<ServerResponse>();
  let state: PreviewState = { phase: 'working', problems: [], builds: 0 };
  const show = (change: Partial<PreviewState>) => {
    state = { ...state, ...change };
    for (const page of pages) send(page, state);
  };
  const work = createWork(async () => {
    show({ phase: 'working' });
    const [problems, failure] = await Promise.all([options.lint(), failureOf(options.build)]);
    const { failure: _before, ...rest } = state;
    state = rest;
    const builds = failure === undefined ? state.builds + 1 : state.builds;
    show({ phase: 'done', problems, builds, ...(failure === undefined ? {} : { failure }) });
  });
  const app = express();
  app.use(express.static(SHELL));
  app.use('/docs', express.static(options.output, { cacheControl: false, etag: false }));
  app.get('/events', (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    pages.add(response);
    response.on('close', () => pages.delete(response));
    send(response, state);
  });
  const server = createServer(app);
  const port = await listen(server, options.port);
  const watcher = watch(options.folder, { recursive: true }, () => work.request());
  work.request();
  return {
    url: `http://${LOOPBACK}:${port}/`,
    async close() {
      watcher.close();
      await work.finished();
      for (const page of pages) page.end();
      await new Promise((done) => server.close(done));
    },
  };
}

function send(page: ServerResponse, state: PreviewState): void {
  page.write(`data: ${JSON.stringify(state)}\n\n`);
}

async function failureOf(build: () => Promise<void>): Promise<string | undefined> {
  try {
    await build();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** One run at a time; what is requested meanwhile is one more run. */
function createWork(run: () => Promise<void>) {
  let current: Promise<void> | undefined;
  let isRequested = false;
  const loop = async (): Promise<void> => {
    while (isRequested) {
      await new Promise((done) => setTimeout(done, SETTLE_MS));
      isRequested = false;
      await run();
    }
    current = undefined;
  };
  return {
    request(): void {
      isRequested = true;
      current ??= loop();
    },
    async finished(): Promise<void> {
      await current;
    },
  };
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', () => reject(new Error(`port ${port} is taken; choose another one with --port`)));
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
