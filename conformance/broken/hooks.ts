import { createServer, type IncomingMessage, type Server } from 'node:http';
import { click, open, unsubscribe } from './events.ts';
import { showMail } from './mail.ts';
import { isSameAddress } from './names.ts';
import type { World } from './state.ts';
import { isObject, ownValue } from './validate.ts';
import { sendWhatIsDue } from './webhook-sender.ts';
import { registerByHook } from './webhooks.ts';

const PIXEL = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** What a test uses to look behind the API, and what the readers of mails reach: tracking and unsubscribing. */
export function createHooks(world: World): Server {
  return createServer((request, response) => {
    void reply(world, request).then(({ status, headers = {}, body = '' }) => {
      const isBytes = Buffer.isBuffer(body) || typeof body === 'string';
      response.writeHead(status, { 'content-type': isBytes ? 'text/html' : 'application/json', ...headers });
      response.end(isBytes ? body : JSON.stringify(body));
    });
  });
}

async function reply(world: World, request: IncomingMessage): Promise<Reply> {
  const url = new URL(request.url ?? '/', 'http://hooks');
  const [, kind, id = '', link = ''] = url.pathname.split('/');
  const message = world.messages.get(id);
  switch (`${request.method} /${kind}`) {
    case 'POST /clock': {
      const seconds = ownValue(await readObject(request), 'advance_seconds');
      if (typeof seconds !== 'number' || !(seconds >= 0))
        return { status: 422, body: { error: 'advance_seconds' } };
      world.clock.advance(seconds);
      sendWhatIsDue(world);
      return { status: 200, body: { ok: true } };
    }
    case 'GET /messages':
      return { status: 200, body: { messages: mailsTo(world, url.searchParams.get('to')) } };
    case 'POST /webhook': {
      const body = await readObject(request);
      const account_id = ownValue(body, 'account_id');
      const target = ownValue(body, 'url');
      const isKnown = typeof account_id === 'string' && world.accounts.has(account_id);
      if (!isKnown || typeof target !== 'string') return { status: 422, body: { error: 'account_id, url' } };
      registerByHook(world, account_id, target);
      return { status: 200, body: { ok: true } };
    }
    case 'GET /o':
      if (message !== undefined) open(world, message);
      return { status: 200, headers: { 'content-type': 'image/gif' }, body: PIXEL };
    case 'GET /c': {
      const location = message === undefined ? undefined : click(world, message, Number(link));
      return location === undefined ? { status: 404 } : { status: 302, headers: { location } };
    }
    case 'POST /u':
      if (message !== undefined) unsubscribe(world, message);
      return { status: 200 };
    case 'GET /u': {
      const location = message?.list_unsubscribe ?? '';
      if (/^https?:/i.test(location)) return { status: 302, headers: { location } };
      return { status: 200, body: '<form method="post"><button>Unsubscribe</button></form>' };
    }
    default:
      return { status: 404 };
  }
}

function mailsTo(world: World, address: string | null) {
  const isWanted = (to: readonly string[]) =>
    address === null || to.some((one) => isSameAddress(one, address));
  return world.mails
    .filter(({ to }) => isWanted(to))
    .toReversed()
    .map(showMail);
}

async function readObject(request: IncomingMessage): Promise<object> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    return isObject(body) ? body : {};
  } catch {
    return {};
  }
}
