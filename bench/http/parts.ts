import type { components } from '../../generated/types.ts';
import { loadContract } from '../../server/contract/contract.ts';
import type { Handlers } from '../../server/contract/handlers.ts';
import { messageHandlers } from '../../server/handlers/messages.ts';
import { sendingHandlers } from '../../server/handlers/sending.ts';
import { type Authenticate, createAuthenticate } from '../../server/http/authentication.ts';
import type { MessageRow } from '../../server/store/rows.ts';
import { openBenchStore } from '../tenant.ts';

/** What is compared: the service's own pipeline, the same handlers on bare Express, or behind express-openapi-validator. */
export type Arm = 'sendspec' | 'express' | 'validator';

/** The two operations that are measured. */
export type BenchHandlers = Pick<Handlers, 'listMessages' | 'sendEmail'>;

/** What every arm is put together from. */
export interface ArmParts {
  handlers: BenchHandlers;
  authenticate: Authenticate;
}

export const PAGE_SIZE = 30;

/** The handlers of the service on its store; those of the other arms do not check the messages one by one. */
export async function partsOnStore(arm: Arm, databaseUrl: string): Promise<ArmParts> {
  const { store, clock } = await openBenchStore(databaseUrl);
  const contract = loadContract();
  const validateMessage: typeof contract.validateMessage =
    arm === 'sendspec' ? (item) => contract.validateMessage(item) : acceptAsIs;
  const { listMessages } = messageHandlers({ clock });
  const { sendEmail } = sendingHandlers({ validateMessage });
  return { handlers: { listMessages, sendEmail }, authenticate: createAuthenticate(store) };
}

/** Handlers that do nothing: each answers with the same object every time. The caller is known without a look. */
export function emptyParts(arm: Arm): ArmParts {
  const contract = loadContract();
  const page = Array.from({ length: PAGE_SIZE }, (_, index) => row(index));
  const handlers: BenchHandlers = {
    listMessages: async ({ query: { limit, offset } }) => ({
      status: 200,
      body: { data: page, meta: { limit, offset, total: 10_000 } },
    }),
    sendEmail: async ({ body }) => {
      // Checking the messages is a part of the pipeline, though the service has it in this handler.
      if (arm === 'sendspec' && !body.every((item) => contract.validateMessage(item).valid)) {
        throw new Error('a message of the bench is not valid');
      }
      return { status: 200, body: { data: body.map(() => accepted(row(0).message_id)), meta: {} } };
    },
  };
  return { handlers, authenticate: async (security) => (security === 'basic' ? ACCOUNT : USER) };
}

const ID = '01a3f2c4-7d1e-7a60-9b35-0f6f1d2c3b4a';
const USER = { kind: 'user', userId: ID, role: 'owner', sessionId: ID, store: nothing() } as const;
const ACCOUNT = { kind: 'account', accountId: ID, status: 'active', store: nothing() } as const;

function accepted(messageId: string): components['schemas']['AcceptedMessage'] {
  return { message_id: messageId, custom_id: '', status: 'accepted', errors: [] };
}

/** For what has to be there and is never used. */
export function nothing() {
  return Object.create(null);
}

function acceptAsIs(item: unknown): ReturnType<ReturnType<typeof loadContract>['validateMessage']> {
  // Nobody looks at it: that is the point of this arm.
  return { valid: true, message: Object(item) };
}

function row(index: number): MessageRow {
  const number = String(index).padStart(2, '0');
  const moment = `2026-03-01T12:00:${number}.268699+00:00`;
  return {
    message_id: `01a3f2c4-7d1e-7a60-9b35-0f6f1d2c3b${number}`,
    custom_id: `order-10${number}`,
    recipient_email: `customer-${number}@example.com`,
    from_email: 'hello@demo.test',
    subject: `Your order 10${number} is on its way`,
    domain_id: ID,
    account_id: ID,
    domain_name: 'demo.test',
    account_name: 'Demo transactional',
    created_at: moment,
    updated_at: moment,
    delivery_status: 'delivery',
    opened_at: index % 3 === 0 ? moment : null,
    clicked_at: null,
    unsubscribed_at: null,
    spam_complaint_at: null,
  };
}
