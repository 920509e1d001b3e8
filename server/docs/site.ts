import { existsSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { type Headers, LINGER, sendWhole } from '../http/answer.ts';
import { announcesBody } from '../http/body.ts';

const FILES = { dotfiles: 'ignore', cacheControl: false } as const;

/** Where `npm run docs` puts the site, in the project and in the installed package alike. */
export const DOCS_FOLDER = join(packageFolder(), 'dist', 'docs');

/** Below which path of the web listener the site is. */
export const DOCS_PATH = '/docs';

const NOT_BUILT = 'The documentation has not been built yet: run "npm run docs".\n';
const NO_PAGE = 'There is no such page in the documentation.\n';
const READ_ONLY = 'The documentation can only be read.\n';
const FAILED = 'The documentation cannot be read.\n';
const NOT_SO = 'The page is not as the headers of the request want it.\n';

const PRECONDITION_FAILED = 412;
const RANGE_NOT_SATISFIABLE = 416;

// Each page says itself what it may load; only a header can say who may frame it. Files keep their names when the site is
// built anew, so that a browser has to ask each time, and is told by the ETag that nothing is new.
const ALWAYS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} satisfies Headers;

const UTF8 = 'charset=utf-8';
/** Of what the build leaves a compressed copy of: the copy is sent as what it is a copy of. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': `text/html; ${UTF8}`,
  '.css': `text/css; ${UTF8}`,
  '.js': `text/javascript; ${UTF8}`,
  '.json': `application/json; ${UTF8}`,
};
const NOT_FOUND_PAGE = '404.html';

/** Whether a request to the web listener is one for the site. */
export function isForDocs({ url = '' }: IncomingMessage): boolean {
  const [path] = url.split(/[?#]/, 1);
  return path === DOCS_PATH || path?.startsWith(`${DOCS_PATH}/`) === true;
}

/**
 * Answers what {@link isForDocs} says is for the site, with the files of a folder and nothing beside it. The folder may be
 * built, or built anew, while the service runs.
 * @param fault is told of files that cannot be read.
 */
export function createDocsSite(
  folder: string,
  fault: (what: string, error: unknown) => void,
): RequestListener {
  const site = express();
  site.disable('x-powered-by');
  site.use((_request, response, next) => {
    response.set(ALWAYS);
    next();
  });
  site.use(DOCS_PATH, compressedCopies(folder), express.static(folder, FILES), notFoundPage(folder));
  site.use((request, response) => say(request, response, 404, NO_PAGE));
  const onError: ErrorRequestHandler = (error: unknown, request, response, _next) => {
    const status = statusOf(error);
    if (status === 500) fault('A page of the documentation could not be sent.', error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // What has been said of the file is not true of this text.
    for (const name of ['Content-Encoding', 'ETag', 'Last-Modified']) response.removeHeader(name);
    say(request, response, status, textOf(status));
  };
  site.use(onError);
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      say(request, response, 405, READ_ONLY, { Allow: 'GET, HEAD' });
    } else if (!existsSync(join(folder, 'index.html'))) {
      say(request, response, 503, NOT_BUILT);
    } else {
      if (announcesBody(request)) response.setHeader('Connection', 'close');
      site(request, response);
    }
  };
}

/**
 * Sends the copy that the build has compressed (`site.js.gz`) to whoever takes it. Nothing is compressed while somebody waits: that
 * would let anybody keep the threads busy that sign mails.
 */
function compressedCopies(folder: string): RequestHandler {
  return (request, response, next) => {
    response.vary('Accept-Encoding');
    const file = request.path.endsWith('/') ? `${request.path}index.html` : request.path;
    const type = TYPES[extname(file)];
    // What is escaped in a path names no file of the build.
    const isPlain = /^[\w./-]+$/.test(file);
    if (type === undefined || !isPlain || request.acceptsEncodings('gzip', 'identity') !== 'gzip')
      return next();
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': type };
    response.sendFile(`${file}.gz`, { ...FILES, root: folder, headers }, (error) => {
      if (error === undefined) return;
      if (response.headersSent) response.destroy();
      // Only where there is no copy the file takes its place.
      else next(isUnmet(statusOf(error)) ? error : undefined);
    });
  };
}

/** The page that says so, for a wrong name beside the pages: its links lead from there, as on any web host. */
function notFoundPage(folder: string): RequestHandler {
  return (request, response, next) => {
    if (request.path.lastIndexOf('/') > 0) return next();
    response.status(404).sendFile(NOT_FOUND_PAGE, { ...FILES, root: folder }, (error) => {
      if (error !== undefined && !response.headersSent) next();
    });
  };
}

/** What cannot name a file here, such as a path that leads out of the folder, is no page either. */
function statusOf(error: unknown): number {
  const status = Number(Object(error).status ?? 404);
  if (isUnmet(status)) return status;
  return status >= 500 ? 500 : 404;
}

/** Whether there is a page, but not as the request has asked for it: unchanged, or from a byte that it does not have. */
function isUnmet(status: number): boolean {
  return status === PRECONDITION_FAILED || status === RANGE_NOT_SATISFIABLE;
}

function textOf(status: number): string {
  if (isUnmet(status)) return NOT_SO;
  return status === 404 ? NO_PAGE : FAILED;
}

function say(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Headers = {},
): void {
  const all = { ...ALWAYS, 'Content-Type': 'text/plain; charset=utf-8', ...headers };
  sendWhole(request, response, status, all, text, LINGER);
}

function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}
