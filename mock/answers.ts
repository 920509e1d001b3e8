import { isDeepStrictEqual } from 'node:util';
import type { Contract, OperationContract } from '../server/contract/contract.ts';
import type { ContractDocument } from '../server/contract/document.ts';
import { ApiError } from '../server/domain/errors.ts';
import type { Headers } from '../server/http/answer.ts';
import type { AnyReply } from '../server/http/sender.ts';
import { type Asked, understood } from './asked.ts';
import { batchAnswer } from './batch.ts';
import {
  type DocumentedAnswer,
  type DocumentedOperation,
  documentedOperations,
  type NamedExample,
} from './document.ts';
import { errorBody } from './error-body.ts';
import { exportOf } from './export.ts';
import { fitted, fittedGenerated, withNewId } from './fit.ts';
import { isObject, type JsonObject, valueAt } from './json.ts';
import { exampleFor, KnownThings } from './known.ts';
import { Mender } from './mend.ts';
import { readWish, type Wish } from './prefer.ts';
import type { Choice, Prism, PrismAnswer } from './prism.ts';

/** What the answers are made of. */
export interface AnswerParts {
  document: ContractDocument;
  contract: Contract;
  prism: Prism;
  /** Whether values are generated where a request does not say. */
  dynamic: boolean;
}

const FIRST_ERROR = 400;
const JSON_TYPE = 'application/json';

/** The answers of the mock: made by Prism from the contract's examples or schemas, and then fitted to the request. */
export class Answers {
  readonly #parts: AnswerParts;
  readonly #operations: Map<string, DocumentedOperation>;
  readonly #known: KnownThings;
  readonly #mender: Mender;
  readonly #examples = new Map<string, Promise<PrismAnswer>>();

  constructor(parts: AnswerParts) {
    this.#parts = parts;
    this.#operations = documentedOperations(parts.document);
    this.#known = new KnownThings(this.#operations.values());
    this.#mender = new Mender(parts.document);
  }

  /** The examples of an operation's request body. */
  requestExamples(id: string): readonly NamedExample[] {
    return this.#operation(id).requests;
  }

  /** What the header Prefer asks for. @throws ApiError VALIDATION_ERROR when that does not exist. */
  wishOf(id: string, header: string): Wish {
    return readWish(header, id, this.#operation(id).answers);
  }

  /** The error that is wished for; undefined when it is a success, or nothing in particular. */
  async wishedError(operation: OperationContract, { answer, example }: Wish): Promise<ApiError | undefined> {
    if (answer === undefined || answer.status < FIRST_ERROR) return undefined;
    const { body } = await this.#example(operation, answer.status, example?.name);
    const { code, errors } = errorBody(body);
    return new ApiError(code, 'wished for', errors);
  }

  /** The success that answers a request, and the headers that the contract shows with it. */
  async success(
    operation: OperationContract,
    wish: Wish,
    request: Asked,
  ): Promise<{ reply: AnyReply; headers: Headers }> {
    const asked = understood(request, this.#operation(operation.id).fields);
    const answer = wish.answer ?? this.#lowestAnswer(operation.id);
    const example = wish.example ?? exampleFor(answer, parametersOf(asked));
    const made = await this.#example(operation, answer.status, example?.name);
    const { headers } = made;
    if (answer.contentType !== JSON_TYPE) {
      const text = String(made.body);
      const stream = wish.example === undefined ? exportOf(text, asked, this.#known) : once(text);
      return { headers, reply: { status: answer.status, stream } };
    }
    if (operation.request.rules.bodyIsList)
      return { headers, reply: this.#batch(answer.status, made.body, asked) };
    const body = await this.#body(operation, { wish, answer, asked, example: made.body });
    return {
      headers,
      reply: { status: answer.status, body: this.#mender.mend(answer.schema, body, made.body) },
    };
  }

  async #body(
    operation: OperationContract,
    {
      wish,
      answer,
      asked,
      example,
    }: { wish: Wish; answer: DocumentedAnswer; asked: Asked; example: unknown },
  ): Promise<unknown> {
    if (wish.example !== undefined) return example;
    // A session's tokens have to be ones that can be sent: they stand outside of `data`, and are never generated.
    const isGenerated = (wish.dynamic ?? this.#parts.dynamic) && valueAt(example, 'data') !== undefined;
    if (!isGenerated) {
      const answered = fitted(example, asked, this.#known, this.#changes(operation));
      return this.#makesSomethingElse(operation, asked) ? withNewId(answered, asked) : answered;
    }
    const generated = await this.#ask(operation, {
      status: answer.status,
      example: undefined,
      dynamic: true,
    });
    return fittedGenerated(this.#mender.mend(answer.schema, generated.body, example), example, asked);
  }

  #batch(status: number, example: unknown, { body }: Asked): AnyReply {
    const items = valueAt(example, 'data');
    const messages: readonly unknown[] = Array.isArray(body) ? body : [];
    return batchAnswer(messages, Array.isArray(items) ? items : [], status, {
      check: (message) => this.#parts.contract.validateMessage(message),
      messageIds: [...new Set([...shownIds(items), ...this.#known.idsOf('message')])],
    });
  }

  /** The fields that a change may name, as the examples of its request show; none of other operations. */
  #changes({ id, method }: OperationContract): string[] {
    if (method !== 'PATCH') return [];
    return this.requestExamples(id).flatMap(({ value }) => (isObject(value) ? Object.keys(value) : []));
  }

  /** Whether the request makes something, and other than the requests of the examples, whose answers are the examples. */
  #makesSomethingElse({ id, method }: OperationContract, { body }: Asked): boolean {
    return method === 'POST' && !this.requestExamples(id).some(({ value }) => isDeepStrictEqual(value, body));
  }

  /** An example of the contract. It never changes, and is asked for once. */
  #example(operation: OperationContract, status: number, example: string | undefined): Promise<PrismAnswer> {
    const key = `${operation.id} ${status} ${example}`;
    const known = this.#examples.get(key) ?? this.#ask(operation, { status, example, dynamic: false });
    this.#examples.set(key, known);
    return known;
  }

  #ask({ method, path }: OperationContract, choice: Choice): Promise<PrismAnswer> {
    return this.#parts.prism(method, path, choice);
  }

  #lowestAnswer(id: string): DocumentedAnswer {
    const [first] = this.#operation(id).answers;
    if (first === undefined) throw new Error(`The contract has no answer for ${id}.`);
    return first;
  }

  #operation(id: string): DocumentedOperation {
    const operation = this.#operations.get(id);
    if (operation === undefined) throw new Error(`The contract has no operation ${id}.`);
    return operation;
  }
}

function parametersOf({ path, query, body }: Asked): JsonObject {
  return { ...(isObject(body) ? body : {}), ...query, ...path };
}

function shownIds(items: unknown): string[] {
  const shown = Array.isArray(items) ? items.filter(isObject) : [];
  return shown.flatMap(({ message_id: id }) => (typeof id === 'string' && id !== '' ? [id] : []));
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
