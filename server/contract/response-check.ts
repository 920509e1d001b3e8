import {
  type ContractDocument,
  follow,
  type Header,
  type Located,
  type Operation,
  pointerTo,
  type Response,
} from './document.ts';
import type { Validator, Validators } from './validators.ts';

/** An answer as it is about to leave. */
export interface OutgoingResponse {
  status: number;
  headers: Readonly<Record<string, string | number>>;
  /** Without parameters: `application/json`. */
  contentType: string;
  /** What the JSON body says; of a stream only the beginning of the response can be checked. */
  body?: unknown;
}

interface HeaderRule {
  name: string;
  required: boolean;
  integer: boolean;
  validate: Validator | undefined;
}

interface ContentRule {
  type: string;
  validate: Validator | undefined;
}

interface StatusRule {
  headers: readonly HeaderRule[];
  contents: readonly ContentRule[];
}

const INTEGER = /^-?\d+$/;
const JSON_TYPE = 'application/json';

/** Checks the responses of one operation against the contract; the validators of a status are compiled when it is first sent. */
export class ResponseCheck {
  readonly #document: ContractDocument;
  readonly #responses: Readonly<Record<string, Response>>;
  readonly #pointer: string;
  readonly #validators: Validators;
  readonly #byStatus = new Map<number, StatusRule>();

  constructor(document: ContractDocument, operation: Located<Operation>, validators: Validators) {
    this.#document = document;
    this.#responses = operation.value.responses;
    this.#pointer = pointerTo(operation.pointer, 'responses');
    this.#validators = validators;
  }

  /** Compiles what is not compiled yet, a status a step, so that the caller can let others work in between. */
  *warm(): Generator<void> {
    for (const status of Object.keys(this.#responses)) {
      this.#ruleOf(Number(status));
      yield;
    }
  }

  /** Every status that the contract knows for the operation. */
  get statuses(): readonly number[] {
    return Object.keys(this.#responses).map(Number);
  }

  /** What is wrong with a response: undefined when it keeps the contract. The first fault is enough; the response will not leave. */
  faultIn(response: OutgoingResponse): string | undefined {
    const rule = this.#ruleOf(response.status);
    if (rule === undefined) return `the status ${response.status} is not documented`;
    for (const header of rule.headers) {
      const fault = headerFault(header, response.headers[header.name]);
      if (fault !== undefined) return fault;
    }
    const content = rule.contents.find(({ type }) => type === response.contentType);
    if (content === undefined) return `the content type ${response.contentType} is not documented`;
    if (content.validate === undefined || content.validate(response.body)) return undefined;
    const [first] = content.validate.errors ?? [];
    return `the body${first?.instancePath ?? ''} ${first?.message ?? 'is wrong'} (${first?.schemaPath ?? ''})`;
  }

  #ruleOf(status: number): StatusRule | undefined {
    const known = this.#byStatus.get(status);
    if (known !== undefined || !Object.hasOwn(this.#responses, String(status))) return known;
    const response = this.#responses[String(status)];
    if (response === undefined) return undefined;
    const rule = this.#compile(
      follow(this.#document, { value: response, pointer: pointerTo(this.#pointer, status) }),
    );
    this.#byStatus.set(status, rule);
    return rule;
  }

  #compile({ value, pointer }: Located<Response>): StatusRule {
    return {
      headers: Object.entries(value.headers ?? {}).map(([name, header]) =>
        this.#headerRule(
          name,
          follow(this.#document, { value: header, pointer: pointerTo(pointer, 'headers', name) }),
        ),
      ),
      contents: Object.entries(value.content ?? {}).map(([type, { schema }]) => ({
        type,
        validate:
          type === JSON_TYPE && schema !== undefined
            ? this.#validators.at(schema.$ref ?? pointerTo(pointer, 'content', type, 'schema'))
            : undefined,
      })),
    };
  }

  #headerRule(name: string, { value, pointer }: Located<Header>): HeaderRule {
    return {
      name,
      required: value.required ?? false,
      integer: value.schema?.type === 'integer',
      validate: value.schema && this.#validators.at(pointerTo(pointer, 'schema')),
    };
  }
}

function headerFault(rule: HeaderRule, sent: string | number | undefined): string | undefined {
  if (sent === undefined) return rule.required ? `the header ${rule.name} is missing` : undefined;
  const value = rule.integer && INTEGER.test(String(sent)) ? Number(sent) : sent;
  if (rule.validate === undefined || rule.validate(value)) return undefined;
  return `the header ${rule.name} ${rule.validate.errors?.[0]?.message ?? 'is wrong'}`;
}
