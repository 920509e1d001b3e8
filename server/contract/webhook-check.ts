import {
  type ContractDocument,
  children,
  follow,
  type Located,
  type Operation,
  pointerTo,
  webhooksOf,
} from './document.ts';
import type { Validator, Validators } from './validators.ts';

/** A notification as it is about to leave. */
export interface OutgoingNotification {
  /** The name of its webhook in the contract: `message.click`. */
  event: string;
  /** In lower case. */
  headers: Readonly<Record<string, string>>;
  /** What the JSON body says. */
  body: unknown;
}

interface NotificationRule {
  headers: Validator;
  body: Validator;
}

const JSON_BODY = ['content', 'application/json', 'schema'] as const;

/** Checks notifications against the webhooks of the contract; the validators of each are compiled when it is first sent. */
export class WebhookCheck {
  readonly #document: ContractDocument;
  readonly #validators: Validators;
  readonly #operations: ReadonlyMap<string, Located<Operation>>;
  readonly #rules = new Map<string, NotificationRule>();

  constructor(document: ContractDocument, validators: Validators) {
    this.#document = document;
    this.#validators = validators;
    this.#operations = new Map([...webhooksOf(document)].map(({ name, operation }) => [name, operation]));
  }

  /** Compiles what is not compiled yet, a webhook a step, so that the caller can let others work in between. */
  *warm(): Generator<void> {
    for (const event of this.#operations.keys()) {
      this.#ruleOf(event);
      yield;
    }
  }

  /** The first fault of a notification; undefined when it keeps the contract. */
  faultIn({ event, headers, body }: OutgoingNotification): string | undefined {
    const rule = this.#ruleOf(event);
    if (rule === undefined) return `the webhook ${event} is not documented`;
    return faultOf('the headers', rule.headers, headers) ?? faultOf('the body', rule.body, body);
  }

  #ruleOf(event: string): NotificationRule | undefined {
    const known = this.#rules.get(event);
    const operation = this.#operations.get(event);
    if (known !== undefined || operation === undefined) return known;
    const rule = { headers: this.#headersOf(operation), body: this.#bodyOf(operation) };
    this.#rules.set(event, rule);
    return rule;
  }

  #headersOf({ value, pointer }: Located<Operation>): Validator {
    const parameters = children(value.parameters, pointerTo(pointer, 'parameters'))
      .map((parameter) => follow(this.#document, parameter))
      .filter((parameter) => parameter.value.in === 'header');
    const nameOf = (parameter: (typeof parameters)[number]) => parameter.value.name.toLowerCase();
    return this.#validators.object(
      parameters.map((parameter) => [nameOf(parameter), pointerTo(parameter.pointer, 'schema')]),
      parameters.filter(({ value: { required } }) => required).map(nameOf),
    );
  }

  #bodyOf({ value, pointer }: Located<Operation>): Validator {
    if (value.requestBody === undefined) throw new Error(`The contract has no body at ${pointer}.`);
    const body = follow(this.#document, {
      value: value.requestBody,
      pointer: pointerTo(pointer, 'requestBody'),
    });
    return this.#validators.at(pointerTo(body.pointer, ...JSON_BODY));
  }
}

function faultOf(what: string, validate: Validator, value: unknown): string | undefined {
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return `${what}${first?.instancePath ?? ''} ${first?.message ?? 'are wrong'} (${first?.schemaPath ?? ''})`;
}
