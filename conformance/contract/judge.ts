import {
  type Content,
  type DocumentedResponse,
  type OperationId,
  operationOf,
  unknownEndpoint,
  webhooks,
} from './document.ts';
import { type Explanation, explained, placeOf } from './explain.ts';
import { lenient, withTags } from './lenient.ts';
import type { Schema } from './schema.ts';
import { errorsOf } from './validators.ts';

/** A response as it came over the wire. Names of headers may be in any case. */
export interface WireResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Something in a response that the contract does not allow. */
export interface ResponseFault {
  part: 'status' | 'content_type' | 'headers' | 'body';
  /** JSON pointer into the body, `/` and the name of a header, or "" for the whole part. */
  pointer: string;
  message: string;
}

export interface Judgement {
  faults: ResponseFault[];
  /** What differs from the contract and is nobody's fault, since the service description leaves it open. */
  remarks: string[];
}

type Judged = OperationId | 'unknown_endpoint';

/** Holds a response against the contract. The answer to a HEAD has no body (RFC 9110, section 9.3.2), so say when it was one. */
export function judge(operation: Judged, response: WireResponse, method?: string): Judgement {
  const documented = documentedFor(operation, response.status);
  if (documented === undefined) return { faults: [undocumented(operation, response.status)], remarks: [] };
  const headers = lowerCased(response.headers);
  const remarks =
    documented.status === response.status ? [] : [`an accepted batch is answered ${response.status}`];
  const parts = [{ faults: [], remarks }, judgeHeaders(documented, headers)];
  if (method !== 'HEAD') parts.push(judgeContent(documented, headers['content-type'], response.text));
  return joined(parts);
}

/** Holds the JSON of a notification against what the contract says of its event. */
export function judgeWebhookPayload(event: string, payload: unknown): Judgement {
  const webhook = webhooks.find((candidate) => candidate.event === event);
  if (webhook !== undefined) return judgeValue(webhook.payload.schema, payload);
  const known = webhooks.map((candidate) => candidate.event).join(', ');
  const message = `the event must be one of ${known}, and is ${JSON.stringify(event)}`;
  return { faults: [{ part: 'body', pointer: '/event', message }], remarks: [] };
}

function responsesOf(operation: Judged): ReadonlyMap<number, DocumentedResponse> {
  return operation === 'unknown_endpoint' ? unknownEndpoint : operationOf(operation).responses;
}

function documentedFor(operation: Judged, status: number): DocumentedResponse | undefined {
  const responses = responsesOf(operation);
  // The status of a fully accepted batch is not shown: any success that does not mean a rejection will do.
  const isAccepted = operation === 'sendEmail' && status >= 200 && status < 300 && status !== 207;
  return responses.get(isAccepted ? 200 : status);
}

function undocumented(operation: Judged, status: number): ResponseFault {
  const known = [...responsesOf(operation).keys()].join(', ');
  const place = operation === 'unknown_endpoint' ? 'an unknown endpoint' : operation;
  return {
    part: 'status',
    pointer: '',
    message: `${place} must be answered one of ${known}, and was answered ${status}`,
  };
}

function judgeHeaders({ headers }: DocumentedResponse, sent: Readonly<Record<string, string>>): Judgement {
  return joined(
    headers.map(({ name, required, schema }) => {
      const text = sent[name.toLowerCase()];
      if (text === undefined)
        return { faults: [], remarks: required ? [`the header ${name} is missing`] : [] };
      const value = schema.type === 'integer' && /^-?\d+$/.test(text.trim()) ? Number(text) : text;
      const faults = explained(errorsOf(lenientOf(schema), value)).map(({ message }) => ({
        part: 'headers' as const,
        pointer: `/${name}`,
        message: message.replace('the body', `the header ${name}`),
      }));
      return { faults, remarks: [] };
    }),
  );
}

function judgeContent({ contents }: DocumentedResponse, header: string | undefined, text: string): Judgement {
  const given = header?.split(';')[0]?.trim().toLowerCase();
  const matching = contents.find(({ type }) => type === given);
  const content = matching ?? contents[0];
  if (content === undefined) return { faults: [], remarks: [] };
  const wanted = contents.map(({ type }) => type).join(' or ');
  const stands = header === undefined ? 'missing' : JSON.stringify(header);
  const message = `the content type must be ${wanted}, and is ${stands}`;
  const faults: ResponseFault[] =
    matching === undefined ? [{ part: 'content_type', pointer: '', message }] : [];
  return joined([{ faults, remarks: [] }, judgeBody(content, text)]);
}

function judgeBody({ type, schema }: Content, text: string): Judgement {
  if (type !== 'application/json') return judgeValue(schema, text);
  try {
    return judgeValue(schema, JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const stands = text === '' ? 'empty' : `not: ${JSON.stringify(text.slice(0, 80))}`;
    return {
      faults: [{ part: 'body', pointer: '', message: `the body must be JSON, and is ${stands}` }],
      remarks: [],
    };
  }
}

function judgeValue(schema: Schema, value: unknown): Judgement {
  const faults = explained(errorsOf(lenientOf(schema), value)).map(({ pointer, message }) => ({
    part: 'body' as const,
    pointer,
    message,
  }));
  const places = new Set(faults.map(({ pointer }) => pointer));
  const differences = explained(errorsOf(strictOf(schema), value)).filter(
    ({ pointer }) => !places.has(pointer),
  );
  return { faults, remarks: [...new Set([...differences.map(remarkOn), ...timestampRemarks(value)])] };
}

const COUNTER = /^\/data\/(?:stats_summary|breakdown\/\d+)\/\w+$/;

function remarkOn({ pointer, message, keyword, stands }: Explanation): string {
  const place = placeOf(pointer.replace(/\/\d+(?=\/|$)/g, '/0')).replaceAll('[0]', '[]');
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return `extra field ${place}`;
  if (pointer.endsWith('/code')) return `${place} ${stands} is not in the contract`;
  if (COUNTER.test(pointer)) return 'counters are numeric strings';
  return message.replace(placeOf(pointer), place);
}

const TIME_FIELD = /^(?:\w+_at|period_from|period_to)$/;
const ENDS_IN_Z = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/i;

function timestampRemarks(value: unknown, name = ''): string[] {
  if (typeof value === 'string')
    return TIME_FIELD.test(name) && ENDS_IN_Z.test(value) ? ['timestamps end in Z'] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => timestampRemarks(part, key));
}

const lenientOf = remembered((schema) => lenient(schema));
const strictOf = remembered((schema) => withTags(schema));

function remembered(make: (schema: Schema) => Schema): (schema: Schema) => Schema {
  const made = new WeakMap<Schema, Schema>();
  return (schema) => {
    const result = made.get(schema) ?? make(schema);
    made.set(schema, result);
    return result;
  };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function joined(parts: readonly Judgement[]): Judgement {
  return {
    faults: parts.flatMap(({ faults }) => faults),
    remarks: [...new Set(parts.flatMap(({ remarks }) => remarks))],
  };
}
