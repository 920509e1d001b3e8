import { setTimeout as wait } from 'node:timers/promises';
import type { TestApi } from '../../../server/testing.ts';
import { type Operation, operationsOf, readDocument } from '../document.ts';
import { type SampleLanguage, sampleOf } from './index.ts';

// For tests: the samples of all operations, run one after the other against a running service as somebody would who follows
// them. What one answers (the ID of a new account) is what the next one needs.

/** What came of a sample. `body` is the parsed answer, or the text of a CSV. */
export interface SampleOutcome {
  status: number;
  body: unknown;
}

/** Runs the source of a sample with the environment that it reads. */
export type RunSample = (source: string, environment: Record<string, string>) => Promise<SampleOutcome>;

/** Deletions last, and what ends the session behind them. */
const ORDER = [
  ...['register', 'login', 'refreshToken'],
  ...['createAccount', 'getAccount', 'updateAccount', 'listAccounts', 'createApiKey', 'listApiKeys'],
  ...[
    'createDomain',
    'updateDomain',
    'getDomain',
    'listDomains',
    'verifyDomainDkim',
    'verifyDomainReturnPath',
  ],
  ...['createWebhook', 'getWebhook', 'updateWebhook', 'listWebhooks', 'testWebhook', 'listWebhookDeliveries'],
  ...['replayWebhook', 'rotateWebhookSecret'],
  ...['sendEmail', 'getMessage', 'listMessages', 'listMessageEvents', 'exportMessages', 'getStats'],
  ...['createSuppression', 'getSuppression', 'listSuppressions', 'deleteSuppression'],
  ...['createUser', 'getUser', 'updateUser', 'listUsers', 'deleteUser'],
  ...['deleteWebhook', 'revokeApiKey', 'rotateDomainDkim', 'deleteDomain', 'deleteAccount'],
  ...['requestPasswordReset', 'confirmPasswordReset', 'logout'],
];

/** The variable that an answer's field is kept in for the samples that follow. */
const KEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  login: { access_token: 'SENDSPEC_TOKEN', refresh_token: 'REFRESH_TOKEN' },
  refreshToken: { access_token: 'SENDSPEC_TOKEN', refresh_token: 'REFRESH_TOKEN' },
  createAccount: { account_id: 'ACCOUNT_ID' },
  createApiKey: { api_key_id: 'API_KEY_ID', api_key: 'API_KEY' },
  createDomain: { domain_id: 'DOMAIN_ID' },
  createWebhook: { webhook_id: 'WEBHOOK_ID' },
  sendEmail: { message_id: 'MESSAGE_ID' },
  createSuppression: { suppression_id: 'SUPPRESSION_ID' },
  createUser: { user_id: 'USER_ID' },
};

const CREATED = /^(?:create|register)/;

/** What a sample has to be answered with: 201 for what creates, otherwise 200. */
export function expectedStatus(id: string): number {
  return CREATED.test(id) ? 201 : 200;
}

/**
 * Runs the sample of every operation in one language and returns the status of each, by operation.
 * @throws when an operation of the contract has no place in the order, or what follows needs what a sample did not answer.
 */
export async function runJourney(
  api: TestApi,
  language: SampleLanguage,
  run: RunSample,
): Promise<Record<string, number>> {
  const operations = await inOrder();
  const environment: Record<string, string> = {
    SENDSPEC_URL: api.baseUrl,
    EMAIL: `owner-${language}@samples.test`,
    PASSWORD: 'a password that only this test has',
  };
  const statuses: Record<string, number> = {};
  for (const operation of operations) {
    if (operation.id === 'confirmPasswordReset')
      environment.RESET_TOKEN = await mailedToken(api, environment);
    if (operation.id === 'logout') await logInAgain(operations, language, run, environment);
    const { status, body } = await run(sampleOf(operation, language), environment);
    statuses[operation.id] = status;
    keep(operation.id, body, environment);
  }
  return statuses;
}

async function inOrder(): Promise<Operation[]> {
  const document = await readDocument(new URL('../../../generated/openapi.json', import.meta.url));
  const operations = new Map(operationsOf(document).map(({ operation }) => [operation.id, operation]));
  const missing = [...operations.keys()].filter((id) => !ORDER.includes(id));
  if (missing.length > 0) throw new Error(`Give these operations a place in ORDER: ${missing.join(', ')}`);
  return ORDER.map((id) => {
    const operation = operations.get(id);
    if (operation === undefined) throw new Error(`ORDER names ${id}, which is no operation`);
    return operation;
  });
}

/** The new password has ended every session. */
async function logInAgain(
  operations: readonly Operation[],
  language: SampleLanguage,
  run: RunSample,
  environment: Record<string, string>,
): Promise<void> {
  const login = operations.find(({ id }) => id === 'login');
  if (login === undefined) return;
  keep('login', (await run(sampleOf(login, language), environment)).body, environment);
}

async function mailedToken(api: TestApi, { EMAIL = '' }: Record<string, string>): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const [mail = ''] = await api.mailsTo(EMAIL);
    const [token] = /^ss_pr_[\w-]{43}(?=\r$)/m.exec(mail) ?? [];
    if (token !== undefined) return token;
    await wait(100);
  }
  throw new Error(`No mail with a token came to ${EMAIL}`);
}

function keep(id: string, body: unknown, environment: Record<string, string>): void {
  const data: unknown = Object(body).data ?? body;
  const object = Object(Array.isArray(data) ? data[0] : data);
  for (const [field, variable] of Object.entries(KEPT[id] ?? {})) {
    const value: unknown = object[field];
    if (typeof value === 'string') environment[variable] = value;
  }
}
