/** Something that stands at a method and a path template such as `/v1/accounts/{account_id}`. */
export interface Endpoint {
  method: string;
  path: string;
}

/** An endpoint, the decoded texts of its path parameters, and the query string without `?`. */
export interface Found<E> {
  endpoint: E;
  path: Record<string, string>;
  query: string;
}

// 100 ids in each of two filters take 12 kB; what is longer is not a request of this contract.
const MAX_URL = 32_768;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;
const PARAMETER = /^\{(.+)\}$/;
const NOT_ASCII = /[^\0-\x7f]/g;

interface Template<E> {
  endpoint: E;
  /** A literal segment, or the name of a parameter. */
  segments: readonly { literal: string | undefined; parameter: string }[];
}

/**
 * Finds endpoints by method and path. Paths are compared as they are written: another case, a final or a double slash,
 * an encoded letter make an unknown endpoint. In the place of an id stands an id, however malformed; only an empty one does not.
 */
export class Endpoints<E extends Endpoint> {
  readonly #literal = new Map<string, E>();
  readonly #templates = new Map<string, Template<E>[]>();

  constructor(endpoints: readonly E[]) {
    for (const endpoint of endpoints) {
      if (!endpoint.path.includes('{')) {
        this.#literal.set(`${endpoint.method} ${endpoint.path}`, endpoint);
        continue;
      }
      const segments = endpoint.path.split('/').map((segment) => {
        const [, parameter] = PARAMETER.exec(segment) ?? [];
        return { literal: parameter === undefined ? segment : undefined, parameter: parameter ?? '' };
      });
      const key = `${endpoint.method} ${segments.length}`;
      this.#templates.set(key, [...(this.#templates.get(key) ?? []), { endpoint, segments }]);
    }
  }

  /** The endpoint that a request line asks for; undefined when there is none. A literal path comes before a template. */
  find(method: string, url: string): Found<E> | undefined {
    if (url.length > MAX_URL) return undefined;
    const target = url.startsWith('/') ? url : url.replace(ABSOLUTE_FORM, '');
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? '' : encodeBytes(target.slice(mark + 1));
    const literal = this.#literal.get(`${method} ${path}`);
    if (literal !== undefined) return { endpoint: literal, path: {}, query };
    const segments = path.split('/');
    for (const template of this.#templates.get(`${method} ${segments.length}`) ?? []) {
      const values = match(template, segments);
      if (values !== undefined) return { endpoint: template.endpoint, path: values, query };
    }
    return undefined;
  }
}

function match<E>(template: Template<E>, segments: readonly string[]): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  for (const [index, { literal, parameter }] of template.segments.entries()) {
    const segment = segments[index] ?? '';
    if (literal !== undefined) {
      if (segment !== literal) return undefined;
      continue;
    }
    if (segment === '') return undefined;
    values[parameter] = decodeSegment(segment);
  }
  return values;
}

/** The text of a path segment; as it was written when it is not percent-encoded UTF-8, which no id is. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Bytes that should have been percent-encoded (many clients send UTF-8 as it is) arrive as one character each. */
function encodeBytes(text: string): string {
  return text.replace(NOT_ASCII, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
