import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type OperationId, operations } from '../../generated/operations.ts';
import { type ContractDocument, operationsOf } from './document.ts';
import { MessageCheck, type MessageVerdict } from './message-check.ts';
import { RequestCheck, requestRules } from './request-check.ts';
import { ResponseCheck } from './response-check.ts';
import { Validators } from './validators.ts';
import { type OutgoingNotification, WebhookCheck } from './webhook-check.ts';

/** One operation of the contract, and how its requests and responses are checked. */
export interface OperationContract {
  id: OperationId;
  method: string;
  /** The path template: `/v1/accounts/{account_id}`. */
  path: string;
  security: 'basic' | 'bearer' | 'none';
  /** Whether the sender adds `meta.rq_time` to the body of a success. */
  stampsTime: boolean;
  /** Whether the operation is documented to refuse callers who lack a permission. */
  refusesCallers: boolean;
  request: RequestCheck;
  response: ResponseCheck;
}

const BUNDLE = new URL('../../generated/openapi.json', import.meta.url);
const FORBIDDEN = 403;

/** The contract that the server is held to: the bundle, and validators compiled from it. */
export class Contract {
  readonly operations: readonly OperationContract[];
  /** What is sent where no operation is. */
  readonly outside: ResponseCheck;
  readonly #messages: MessageCheck;
  readonly #webhooks: WebhookCheck;

  constructor(document: ContractDocument) {
    const quick = new Validators(document, { allErrors: false });
    const thorough = new Validators(document, { allErrors: true, verbose: true });
    this.operations = [...operationsOf(document)].map(({ method, path, operation, parameters }) => {
      const rules = requestRules(document, operation, parameters);
      const { security, meta, statuses } = operations[rules.id];
      const known: readonly number[] = statuses;
      return {
        id: rules.id,
        method,
        path,
        security,
        stampsTime: meta === 'stamped',
        refusesCallers: known.includes(FORBIDDEN),
        request: new RequestCheck(document, rules, { quick, thorough }),
        response: new ResponseCheck(document, operation, quick),
      };
    });
    this.outside = new ResponseCheck(document, outsideOfOperations(), quick);
    this.#messages = new MessageCheck({ quick, thorough });
    this.#webhooks = new WebhookCheck(document, quick);
  }

  /** Checks one message of a batch by itself: the same schema, codes and limits that the contract documents for it. */
  validateMessage(item: unknown): MessageVerdict {
    return this.#messages.check(item);
  }

  /** What is wrong with a notification that is about to leave: undefined when it keeps the contract. */
  faultInNotification(notification: OutgoingNotification): string | undefined {
    return this.#webhooks.faultIn(notification);
  }

  /** Compiles every validator, in small steps that let requests through in between. Until then each is compiled when first needed. */
  async warm(): Promise<void> {
    this.#messages.warm();
    for (const _webhook of this.#webhooks.warm()) await nextTurn();
    for (const { request, response } of this.operations) {
      request.warm();
      for (const _status of response.warm()) await nextTurn();
    }
  }
}

/** Loads the bundle of the contract and prepares its checks. */
export function loadContract(): Contract {
  return new Contract(JSON.parse(readFileSync(BUNDLE, 'utf8')));
}

/** The answers outside of every operation, as if they belonged to one: an unknown endpoint, and what is not a request at all. */
function outsideOfOperations() {
  const named = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const anyError = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
  const responses = {
    '400': anyError,
    '404': named('EndpointNotFound'),
    '500': named('InternalServerError'),
  };
  return { value: { operationId: '', responses }, pointer: '' };
}
