import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/operations.ts';
import {
  authorization,
  contract,
  document,
  type RunningApp,
  startApp,
} from '../http/fixtures/example-app.ts';
import { FORMATS } from './formats.ts';

// express-openapi-validator reads the same document with a router, a parser and a compiler of its own. Where it and this server
// disagree about a request, one of them has misread the contract.
const { middleware } = createRequire(import.meta.url)('express-openapi-validator') as {
  middleware(options: object): RequestHandler[];
};

const ID = '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3';

let ours: RunningApp;
let theirs: Server;
let theirPort: number;

beforeAll(async () => {
  ours = await startApp();
  const app = express();
  app.set('query parser', 'simple');
  app.use(express.json({ type: () => true, strict: false, limit: '50mb' }));
  app.use(
    ...middleware({
      apiSpec: judgedDocument(),
      validateRequests: { allowUnknownQueryParameters: true },
      validateResponses: false,
      validateSecurity: false,
      formats: Object.fromEntries(
        Object.entries(FORMATS).map(([name, validate]) => [name, { type: 'string', validate }]),
      ),
    }),
  );
  app.use((_request, response) => void response.status(200).end());
  const failed: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 500).json({ message: error.message });
  };
  app.use(failed);
  theirs = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => theirs.once('listening', resolve));
  theirPort = (theirs.address() as AddressInfo).port;
});

afterAll(async () => {
  await ours.close();
  await new Promise((resolve) => theirs.close(resolve));
});

type Case = [id: OperationId, suffix: string, body?: unknown];

const queries = [
  '',
  '?limit=1',
  '?limit=1000&offset=5',
  '?limit=0',
  '?limit=1001',
  '?limit=x',
  '?limit=1.5',
  '?limit=',
  '?offset=-1',
  '?offset=2147483648',
  '?unknown=1',
  `?account_ids[]=${ID}`,
  `?account_ids[]=${ID}&account_ids[]=${ID}`,
  `?account_ids%5B%5D=${ID}`,
  '?account_ids[]=1',
  `?account_ids[]=${ID}&account_ids[]=x`,
  '?events[]=open&events[]=click',
  '?events[]=opened',
  '?period_from=2026-03-01&period_to=2026-03-02T00%3A00%3A00%2B01%3A00',
  '?period_from=2026-02-30',
  '?period_from=yesterday',
  '?recipient_email=ada%40customer.test',
  '?recipient_email=ada',
  '?message_id=x',
  `?message_id=${ID}`,
  `?subject=${'a'.repeat(998)}`,
  `?subject=${'a'.repeat(999)}`,
  '?subject=%00',
];

const bodies: Partial<Record<OperationId, unknown[]>> = {
  createAccount: [
    { name: 'Shop', type: 'marketing' },
    { name: 'Shop', type: 'marketing', unknown: 1 },
    { name: 'Shop' },
    { name: null, type: 'marketing' },
    { name: 7, type: 'marketing' },
    { name: '', type: 'marketing' },
    { name: 'n'.repeat(255), type: 'marketing' },
    { name: '😀'.repeat(255), type: 'marketing' },
    { name: 'n'.repeat(256), type: 'marketing' },
    { name: 'a\nb', type: 'marketing' },
    { name: 'Shop', type: 'personal' },
    {},
    [],
    'text',
    7,
    null,
  ],
  createDomain: [
    { name: 'demo.test', accounts: [] },
    { name: 'demo.test', accounts: [ID], return_path_hostname: null },
    { name: 'demo.test', accounts: [ID], return_path_hostname: 'bounces' },
    { name: 'demo.test', accounts: [ID], return_path_hostname: '-' },
    { name: 'demo.test' },
    { name: 'demo.test', accounts: null },
    { name: 'demo.test', accounts: ID },
    { name: 'demo.test', accounts: ['x'] },
    { name: 'demo', accounts: [] },
    { name: 'de mo.test', accounts: [] },
    { name: 'demo.test', accounts: Array(1000).fill(ID) },
    { name: 'demo.test', accounts: Array(1001).fill(ID) },
  ],
  createSuppression: [
    { account_id: ID, recipient_email: 'ada@customer.test' },
    { account_id: ID, recipient_email: 'ada@customer.test', reason: 'asked' },
    { account_id: ID, recipient_email: 'ada@localhost' },
    { account_id: 'x', recipient_email: 'ada@customer.test' },
    { recipient_email: 'ada@customer.test' },
    { account_id: ID, recipient_email: 'ada@customer.test', reason: 'r'.repeat(1001) },
    { account_id: ID, recipient_email: 'ada@customer.test', reason: 5 },
  ],
  login: [
    { email: 'ada@demo.test', password: 'secret', grant_type: 'password' },
    { email: 'ada@demo.test', password: 'secret', grant_type: 'token' },
    { email: 'ada@demo.test', password: '', grant_type: 'password' },
    { email: 'ada', password: 'secret', grant_type: 'password' },
    { email: 'ada@demo.test', password: 'secret' },
  ],
  createUser: [
    { email: 'ada@demo.test', name: 'Ada', role: 'viewer', password: 'correct horse' },
    { email: 'ada@demo.test', name: 'Ada', role: 'admin', password: 'correct horse' },
    { email: 'ada@demo.test', name: 'Ada', role: 'viewer', password: 'short' },
    { email: 'ada@demo.test', role: 'viewer', password: 'correct horse' },
  ],
  sendEmail: [[], {}, 'text', Array(500).fill({}), Array(501).fill({}), [{}], [null]],
};

const cases: Case[] = [
  ...queries.map<Case>((query) => ['listMessages', query]),
  ...queries.map<Case>((query) => ['exportMessages', query]),
  ...['', `?type=marketing&name=a`, '?type=personal', '?name=%00'].map<Case>((query) => [
    'listAccounts',
    query,
  ]),
  ...['', '?period_from=2026-01-01', '?period_from=2026-01-01&period_to=2026-02-01'].map<Case>((query) => [
    'getStats',
    query,
  ]),
  ...['&all_accounts=1', '&all_accounts=2', '&all_accounts=true', '&all_domains=0'].map<Case>((query) => [
    'getStats',
    `?period_from=2026-01-01&period_to=2026-02-01${query}`,
  ]),
  ['getAccount', ''],
  ...Object.entries(bodies).flatMap(([id, values]) =>
    values.map<Case>((body) => [id as OperationId, '', body]),
  ),
];

describe('express-openapi-validator accepts and rejects the same requests', () => {
  test.each(cases)('%s %s %j', async (id, suffix, body) => {
    const operation = contract.operations.find((candidate) => candidate.id === id);
    if (operation === undefined) throw new Error(`no operation ${id}`);
    const path = operation.path.replace(/\{\w+\}/g, ID) + suffix;
    const init = {
      method: operation.method,
      headers: { authorization: authorization(id) ?? '', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const our = await fetch(`http://127.0.0.1:${ours.port}${path}`, init);
    const their = await fetch(`http://127.0.0.1:${theirPort}${withoutBrackets(path)}`, init);
    const explanation = `${await our.text()} ${await their.text()}`;
    expect([our.status < 400, explanation]).toEqual([their.status < 400, explanation]);
  });

  test('malformed ids, on every path that has one', async () => {
    for (const { id, method, path } of contract.operations) {
      if (!path.includes('{') || method !== 'GET') continue;
      for (const value of [ID, ID.toUpperCase(), '42', `${ID}0`]) {
        const target = path.replace(/\{\w+\}/g, value);
        const headers = { authorization: authorization(id) ?? '' };
        const our = await fetch(`http://127.0.0.1:${ours.port}${target}`, { headers });
        const their = await fetch(`http://127.0.0.1:${theirPort}${target}`, { headers });
        expect([target, our.status < 400]).toEqual([target, their.status < 400]);
      }
    }
  });
});

/**
 * The document as it is, with two changes that the judge needs: messages are not judged with the batch (`x-items-validated` is ours), and
 * the lists have names without brackets, since it takes `name[]` off the query unseen.
 */
function judgedDocument(): unknown {
  const judged = structuredClone(document);
  delete judged.components.schemas.SendEmailRequest.items;
  for (const parameter of Object.values<{ name: string }>(judged.components.parameters)) {
    parameter.name = withoutBrackets(parameter.name);
  }
  return judged;
}

function withoutBrackets(text: string): string {
  return text.replaceAll(/\[\]|%5B%5D/g, '_list');
}
