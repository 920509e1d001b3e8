import { expect, test } from 'vitest';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { components } from '../../generated/types.ts';
import { exampleHandlers } from '../http/fixtures/example-app.ts';
import type { AccountCaller, Handler, Handlers, Reply, RequestOf, UserCaller } from './handlers.ts';

// Judged by the compiler: `tsc` fails when one of these lines is no error any more, or when another one becomes one.

declare const handlers: Handlers;
declare const account: components['schemas']['Account'];
declare const token: components['schemas']['Token'];
declare const rows: AsyncIterable<string>;

/** Never called; its body only has to compile. */
function typesOfHandlers(): void {
  const { getAccount: _missing, ...rest } = handlers;
  // @ts-expect-error a handler is missing
  const incomplete: Handlers = rest;
  // @ts-expect-error a handler of another operation in its place
  const swapped: Handlers = { ...handlers, getAccount: handlers.getDomain };
  const complete: Handlers = {
    ...handlers,
    getAccount: async () => ({ status: 200, body: { data: account } }),
  };

  const wrong: Partial<{ [Id in OperationId]: Handler<Id> }> = {
    // @ts-expect-error the status is not a success of the operation
    getAccount: async () => ({ status: 201, body: { data: account } }),
    // @ts-expect-error a property is missing
    createAccount: async () => ({ status: 201, body: { data: { account_id: 'x', name: 'x' } } }),
    // @ts-expect-error the sender stamps rq_time, not the handler
    updateAccount: async () => ({ status: 200, body: { data: account, meta: { rq_time: '1s' } } }),
    // @ts-expect-error a page says where it is
    listAccounts: async () => ({ status: 200, body: { data: [account] } }),
    // @ts-expect-error an error is thrown, not returned
    deleteAccount: async () => ({ status: 409, body: { data: { code: 'ACCOUNT_NOT_FOUND', errors: [] } } }),
    // @ts-expect-error a CSV file is streamed
    exportMessages: async () => ({ status: 200, body: 'a,b' }),
    // @ts-expect-error a token is not wrapped
    login: async () => ({ status: 200, body: { data: token } }),
    // @ts-expect-error a handler is asynchronous
    logout: () => ({ status: 200, body: { data: 'OK' } }),
  };

  const right: Partial<{ [Id in OperationId]: Handler<Id> }> = {
    listAccounts: async ({ query }) => ({
      status: 200,
      body: { data: [account], meta: { limit: query.limit, offset: query.offset, total: 1 } },
    }),
    exportMessages: async () => ({ status: 200, stream: rows }),
    login: async ({ body }) => ({ status: 200, body: { ...token, access_token: body.password } }),
    logout: async ({ caller }) => ({ status: 200, body: { data: caller.sessionId === '' ? 'OK' : 'OK' } }),
  };
  void [incomplete, swapped, complete, wrong, right];
}

/** Never called; its body only has to compile. */
function typesOfRequests(
  list: RequestOf<'listMessages'>,
  update: RequestOf<'updateAccount'>,
  send: RequestOf<'sendEmail'>,
  login: RequestOf<'login'>,
): void {
  const limit: number = list.query.limit;
  const accounts: string[] | undefined = list.query['account_ids[]'];
  const id: string = update.path.account_id;
  const name: string = update.body.name;
  const user: UserCaller = list.caller;
  const sender: AccountCaller = send.caller;
  const messages: unknown[] = send.body;
  // @ts-expect-error an operation without a body has none
  void list.body;
  // @ts-expect-error nobody has proved who he is
  void login.caller;
  // @ts-expect-error a sender of mail is an account and not a user
  const confused: UserCaller = send.caller;
  // @ts-expect-error messages have not been checked when the handler gets them
  const checked: components['schemas']['SendEmailMessage'][] = send.body;
  // @ts-expect-error there is no such parameter
  void list.query.page;
  const sent: Reply<'sendEmail'>['status'] = 207;
  void [limit, accounts, id, name, user, sender, messages, confused, checked, sent];
}

test('the handlers of the tests cover the contract', () => {
  expect([typesOfHandlers, typesOfRequests]).toHaveLength(2);
  expect(Object.keys(exampleHandlers()).sort()).toEqual(Object.keys(operations).sort());
});
