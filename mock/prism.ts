import { createLogger } from '@stoplight/prism-core';
import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpMockConfig,
  type IHttpRequest,
} from '@stoplight/prism-http';

/** Which answer of an operation is wanted. */
export interface Choice {
  status: number;
  /** The name of an example; the first one when undefined. */
  example: string | undefined;
  /** Values made from the schema instead of an example. */
  dynamic: boolean;
}

/** An answer as Prism makes it from the document. */
export interface PrismAnswer {
  headers: Readonly<Record<string, string | number>>;
  body: unknown;
}

/** Makes answers of one operation. */
export type Prism = (method: string, path: string, choice: Choice) => Promise<PrismAnswer>;

// A page of generated items is one that can be looked at; the contract would allow 1000.
const PAGE = { maxItems: 5, minItems: 3 };
const LONG_LIST = 100;
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);
// The requests are checked before, the responses after, both as the server does it: Prism only makes the answer.
const SETTINGS = {
  isProxy: false,
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
} as const;

/** Prepares Prism with the text of an OpenAPI document. */
export async function createPrism(bundle: string): Promise<Prism> {
  const operations = await getHttpOperationsFromSpec(JSON.parse(bundle, withShortLists));
  const byRequest = new Map(
    operations.map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );
  const prism = createInstance(
    { ...SETTINGS, mock: { dynamic: false } },
    { logger: createLogger('Prism', { level: 'silent' }) },
  );
  return async (method, path, { status, example, dynamic }) => {
    const name = method.toLowerCase();
    const operation = byRequest.get(`${name} ${path}`);
    if (operation === undefined || !isMethod(name)) throw new Error(`Prism knows no ${method} ${path}.`);
    const config: IHttpMockConfig = {
      ...SETTINGS,
      mock: { dynamic, code: status, ...(example === undefined ? {} : { exampleKey: example }) },
    };
    const made = await prism.request({ method: name, url: { path } }, [operation], config)();
    if (made._tag === 'Left') throw made.left;
    const { statusCode, headers = {}, body } = made.right.output;
    if (statusCode !== status) throw new Error(`Prism has no ${status} for ${method} ${path}.`);
    return { headers: withoutContentType(headers), body };
  };
}

function isMethod(name: string): name is IHttpRequest['method'] {
  return METHODS.has(name);
}

function withShortLists(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('maxItems' in value)) return value;
  return Number(value.maxItems) >= LONG_LIST ? { ...value, ...PAGE } : value;
}

function withoutContentType(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type'),
  );
}
