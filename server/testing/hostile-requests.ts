import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import {
  type ContractDocument,
  type Operation,
  operationsOf,
  type Parameter,
  type Schema,
} from '../contract/document.ts';
import { type Answer, startApi, type TestApi, type TestTenant } from '../testing.ts';

// For tests in which every operation of the contract meets every kind of bad input, made from the contract itself. The kit holds
// each answer against the contract: no undocumented status, no envelope of another kind. What is asked here is more than that: no
// 500, the fault named, nothing written, and a service that is still there afterwards.

/** An operation that is attacked. */
export interface Target {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** The schema of its body and an example of one; absent when it takes none. */
  body: { schema: Schema; example: unknown } | undefined;
}

export const document: ContractDocument = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
);

/** All operations. */
export const targets = [...operationsOf(document)].map(({ method, path, operation, parameters }): Target => {
  const body = bodyOf(operation.value);
  return {
    id: operation.value.operationId,
    method,
    path,
    parameters: parameters.map(({ value }) => value),
    body,
  };
});

/** The example of its body, as text. */
export function bodyText({ body }: Target): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body.example);
}

/** The path with an id that nobody has, so that nothing is changed by what turns out to be right. */
export function pathOf({ path }: Target, id: string = randomUUID()): string {
  return path.replaceAll(/\{\w+\}/g, () => id);
}

/** The API, attacked by an owner who is signed in. Whoever starts it closes `api`. */
export class AttackedService {
  readonly api: TestApi;
  readonly #tenant: TestTenant;

  private constructor(api: TestApi, tenant: TestTenant) {
    this.api = api;
    this.#tenant = tenant;
  }

  static async start(): Promise<AttackedService> {
    const api = await startApi();
    return new AttackedService(api, await api.createTenant());
  }

  async send(target: Target, rawBody: string | Buffer | undefined, path = pathOf(target)): Promise<Answer> {
    const { token } = this.#tenant.owner;
    const credentials = target.path === '/v1/send_email' ? { basic: this.#tenant.account } : { token };
    return this.api.call(target.method, path, { ...credentials, rawBody });
  }

  /** After each test: no fault in the log, the service answers, and the process is what it was. */
  async expectUnharmed(): Promise<void> {
    expect(this.api.takeFaults()).toEqual([]);
    expect((await this.#tenant.call('GET', '/v1/accounts')).status).toBe(200);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }
}

function bodyOf({ requestBody }: Operation): Target['body'] {
  const media = requestBody?.content?.['application/json'];
  if (media?.schema === undefined) return undefined;
  const { examples = {} } = media as { examples?: Record<string, { value: unknown }> };
  return { schema: media.schema, example: Object.values(examples)[0]?.value };
}
