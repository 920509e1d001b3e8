import { isObject, type JsonObject, listOf, member, objectOf, textOf } from './json.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** An operation or a webhook, where it stands. */
export interface LocatedOperation {
  /** `POST /v1/send_email`, `webhook message.open`. */
  readonly name: string;
  readonly isWebhook: boolean;
  readonly operation: JsonObject;
  /** Those of the operation and of its path, resolved, by `in` and name. */
  readonly parameters: ReadonlyMap<string, JsonObject>;
}

/** A bundled OpenAPI 3.1 document: every reference in it leads to itself. */
export class ContractDocument {
  readonly root: JsonObject;

  constructor(root: JsonObject) {
    this.root = root;
  }

  get version(): string {
    return textOf(member(this.root.info, 'version')) ?? '';
  }

  /** Every operation and webhook by name. */
  operations(): Map<string, LocatedOperation> {
    const found = [...this.#operationsOf('paths'), ...this.#operationsOf('webhooks')];
    return new Map(found.map((located) => [located.name, located]));
  }

  /**
   * Follows references until something that is not one.
   * @throws Error when one leads nowhere.
   */
  resolve(node: unknown): JsonObject {
    let current = node;
    for (let steps = 0; isObject(current) && typeof current.$ref === 'string'; steps += 1) {
      if (steps > 100) throw new Error(`${current.$ref} leads back to itself.`);
      current = this.#at(current.$ref);
    }
    return objectOf(current);
  }

  /** What a single reference leads to: another one perhaps, or `true` and `false` as schemas. */
  #at(pointer: string): unknown {
    let node: unknown = this.root;
    for (const part of pointer.replace(/^#\//, '').split('/')) {
      node = member(node, decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
    }
    if (node === undefined) throw new Error(`The document has no ${pointer}.`);
    return node;
  }

  #operationsOf(section: 'paths' | 'webhooks'): LocatedOperation[] {
    const isWebhook = section === 'webhooks';
    return Object.entries(objectOf(this.root[section])).flatMap(([key, node]) => {
      const item = this.resolve(node);
      return METHODS.filter((method) => method in item).map((method) => {
        const operation = objectOf(item[method]);
        const name = isWebhook ? `webhook ${key}` : `${method.toUpperCase()} ${key}`;
        return { name, isWebhook, operation, parameters: this.#parametersOf(item, operation) };
      });
    });
  }

  #parametersOf(item: JsonObject, operation: JsonObject): ReadonlyMap<string, JsonObject> {
    const all = [...listOf(item.parameters), ...listOf(operation.parameters)].map((node) =>
      this.resolve(node),
    );
    return new Map(all.map((parameter) => [`${parameter.in} parameter ${parameter.name}`, parameter]));
  }
}
