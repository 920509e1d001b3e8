import { everyOperation, type LintedOperation } from '../operations.ts';
import type { Rule } from '../redocly.ts';

interface Options {
  /** Public operations that judge credentials of their own, and so answer 401. */
  judgeCredentials?: string[];
  /** Operations that accept a part of what they get, and so answer 207. */
  partial?: string[];
  /** Operations that everybody with a token may call, whatever they write. */
  free?: string[];
}

/** Exactly the statuses that an operation can send: none missing, none too many. */
export const operationStatuses: Rule<Options> = (options) =>
  everyOperation((operation) => {
    const statuses = operation.responses.map(([status]) => status);
    for (const [status, need, reason] of verdicts(operation, options)) {
      const has = statuses.includes(status);
      if (need === 'must' && !has) {
        operation.cursor.report(
          `${operation.id} ${reason}, so it answers ${status}: add a response '${status}'.`,
        );
      }
      if (need === 'never' && has) {
        const response = operation.cursor.get('responses', status);
        response?.reportUse(
          `${operation.id} ${reason}, so it never answers ${status}: remove this response.`,
        );
      }
    }
    const known = new Set(verdicts(operation, options).map(([status]) => status));
    for (const status of statuses.filter((status) => !known.has(status))) {
      const fix = status === 'default' || /X/.test(status) ? 'name the exact statuses instead' : 'remove it';
      operation.cursor
        .get('responses', status)
        ?.reportUse(
          `The contract has no status ${status} (404 belongs to unknown endpoints, 405 is never sent): ${fix}.`,
        );
    }
  });

type Verdict = [status: string, need: 'must' | 'may' | 'never', reason: string];

function verdicts(operation: LintedOperation, options: Options): Verdict[] {
  const { id, isPublic, hasBody, method, cursor } = operation;
  const names = operation.parameters.map((parameter) => parameter.text('name') ?? '');
  const takesId =
    operation.parameters.some((p) => p.text('in') === 'path') || names.some((n) => /_ids\[\]$/.test(n));
  const usesKey = cursor.has('security') && JSON.stringify(cursor.get('security')?.node).includes('Basic');
  const isCreation = /^(create[A-Z]|register$)/.test(id);
  const isWrite = !isPublic && method !== 'get' && !options.free?.includes(id);
  const isPartial = options.partial?.includes(id) === true;
  const judges = options.judgeCredentials?.includes(id) === true;
  const must = (condition: boolean): 'must' | 'never' => (condition ? 'must' : 'never');
  return [
    ['200', must(!isCreation), isCreation ? 'creates something' : 'creates nothing'],
    ['201', must(isCreation), isCreation ? 'creates something' : 'creates nothing'],
    ['207', must(isPartial), isPartial ? 'may accept a part' : 'accepts all or nothing'],
    ['400', must(hasBody), hasBody ? 'reads a JSON body' : 'reads no body'],
    ['401', must(!isPublic || judges), isPublic && !judges ? 'is public' : 'asks for credentials'],
    [
      '403',
      must(takesId || isWrite || usesKey),
      takesId || isWrite ? 'takes an id or writes' : 'neither takes an id nor writes',
    ],
    [
      '409',
      takesId ? 'must' : hasBody && !usesKey ? 'may' : 'never',
      takesId ? 'takes an id' : 'names no resource',
    ],
    [
      '422',
      must(hasBody || names.length > 0),
      hasBody || names.length > 0 ? 'takes a body or parameters' : 'takes neither body nor parameters',
    ],
    ['429', 'must', 'is rate limited'],
    ['500', 'must', 'can fail'],
  ];
}
