import { describe, expectTypeOf, test } from 'vitest';
import { type Client, isErrorOf, type Methods } from '../../../generated/client.ts';
import type {
  Account,
  DeliveryStatus,
  Message,
  MessageRejectionCode,
  SendEmailMessage,
} from '../../../generated/types.ts';
import type { Methods as Template } from './client-types.ts';

/**
 * Type-level tests: the compiler is the judge (`tsc` fails when an expectation does not hold), so that nothing is
 * called here. Each `@ts-expect-error` is a mistake that the client must not let pass.
 */
declare const client: Client;
const never = (_code: () => unknown): void => {};

const message: SendEmailMessage = {
  from: { email: 'hello@demo.test' },
  to: [{ email: 'ada@customer.test', name: null }],
  subject: 'Your order',
  body: { text: 'It is on its way.' },
};

describe('what a method takes', () => {
  test('parameters and bodies where the contract has them, and nowhere else', () => {
    never(() => [
      client.sendEmail({ body: [message] }),
      client.listAccounts(),
      client.listAccounts({ query: { limit: 10, type: 'marketing' } }),
      client.listMessages({ query: { 'events[]': ['open', 'unsibscribe'] } }),
      client.getAccount({ path: { account_id: 'id' }, signal: AbortSignal.timeout(1000) }),
      // @ts-expect-error a required body
      client.sendEmail(),
      // @ts-expect-error one message is not an array of messages
      client.sendEmail({ body: message }),
      // @ts-expect-error a required field of the body
      client.createAccount({ body: { name: 'Shop' } }),
      // @ts-expect-error a value that is none of the enum
      client.createAccount({ body: { name: 'Shop', type: 'personal' } }),
      // @ts-expect-error a required path parameter
      client.getAccount({ path: {} }),
      // @ts-expect-error required query parameters
      client.getStats(),
      // @ts-expect-error a parameter that the operation does not have
      client.listAccounts({ query: { subject: 'order' } }),
      // @ts-expect-error a body where there is none
      client.getAccount({ path: { account_id: 'id' }, body: {} }),
      // @ts-expect-error an operation that does not exist
      client.getEverything(),
      // @ts-expect-error only lists have pages
      client.getAccount.pages({ path: { account_id: 'id' } }),
    ]);
  });
});

describe('what a method gives', () => {
  test('the data and meta of the envelope, and plain bodies as data', () => {
    never(async () => {
      const created = await client.createAccount({ body: { name: 'Shop', type: 'marketing' } });
      expectTypeOf(created.status).toEqualTypeOf<201>();
      expectTypeOf(created.data).toEqualTypeOf<Account>();
      expectTypeOf(created.meta.rq_time).toEqualTypeOf<string>();

      const login = await client.login({
        body: { email: 'a@b.test', password: 'secret', grant_type: 'password' },
      });
      expectTypeOf(login.data.access_token).toEqualTypeOf<string>();
      // @ts-expect-error the token response is not wrapped
      login.meta;

      const { data: csv } = await client.exportMessages();
      expectTypeOf(csv).toEqualTypeOf<AsyncIterable<string>>();
    });
  });

  test('the lines of the export are messages with the last reply', () => {
    never(async () => {
      for await (const row of client.exportMessages.rows({ query: { subject: 'order' } })) {
        expectTypeOf(row).toEqualTypeOf<Message & { smtp_response: string | null }>();
        expectTypeOf(row.delivery_status).toEqualTypeOf<DeliveryStatus>();
        expectTypeOf(row.opened_at).toEqualTypeOf<string | null>();
        // @ts-expect-error a column that there is not
        row.opened;
      }
      // @ts-expect-error a filter that the export does not have
      client.exportMessages.rows({ query: { limit: 10 } });
      // @ts-expect-error only the export has rows
      client.listMessages.rows();
    });
  });

  test('the status tells a batch that was accepted from one that was not', () => {
    never(async () => {
      const sent = await client.sendEmail({ body: [message] });
      expectTypeOf(sent.status).toEqualTypeOf<200 | 207>();
      for (const item of sent.data) {
        if (item.status === 'rejected') expectTypeOf(item.code).toEqualTypeOf<MessageRejectionCode>();
        // @ts-expect-error an accepted message has no code
        else item.code;
      }
      if (sent.status === 200) expectTypeOf(sent.data[0]?.status).toEqualTypeOf<'accepted' | undefined>();
      if (sent.status === 207)
        expectTypeOf(sent.data[0]?.status).toEqualTypeOf<'accepted' | 'rejected' | undefined>();
      // @ts-expect-error a refusal is thrown, not returned
      sent.status === 422;
    });
  });

  test('lists give pages and items of their own kind', () => {
    never(async () => {
      for await (const account of client.listAccounts.all()) expectTypeOf(account).toEqualTypeOf<Account>();
      for await (const page of client.listAccounts.pages())
        expectTypeOf(page.meta.total).toEqualTypeOf<number>();
      for await (const event of client.listMessageEvents.all({ path: { message_id: 'id' } })) {
        if (event.type === 'click') expectTypeOf(event.details.user_ip).toEqualTypeOf<string>();
        // @ts-expect-error a delivery has no visitor
        if (event.type === 'delivery') event.details.user_ip;
      }
    });
  });
});

describe('what a method throws', () => {
  test('the status tells which codes and errors there are', () => {
    never(async () => {
      const error: unknown = await client.login({
        body: { email: 'a@b.test', password: 'secret', grant_type: 'password' },
      });
      if (!isErrorOf('createAccount', error)) return;
      // @ts-expect-error creating an account is never a conflict
      error.status === 409;
      if (error.status === 403) expectTypeOf(error.code).toEqualTypeOf<'ACCESS_DENIED'>();
      if (error.status === 422) expectTypeOf(error.errors[0]?.field).toEqualTypeOf<string | undefined>();
    });
  });
});

test('the methods that are spelt out are those of the template', () => {
  expectTypeOf<Methods>().toEqualTypeOf<Template>();
});
