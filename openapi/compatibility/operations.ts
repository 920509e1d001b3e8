import { isDeepStrictEqual } from 'node:util';
import { compareContent } from './content.ts';
import type { ContractDocument, LocatedOperation } from './contract.ts';
import type { Finding, Rule } from './finding.ts';
import { isObject, type JsonObject, textOf } from './json.ts';
import { compareParameters } from './parameters.ts';
import { compareResponses } from './responses.ts';
import type { Pair, Use } from './schemas.ts';
import { compareSecurity } from './security.ts';

/** What breaks in the operations and webhooks that there were. New ones break nobody. */
export function compareOperations(documents: Pair<ContractDocument>): Finding[] {
  const current = documents.new.operations();
  const byShape = new Map([...current.values()].map((located) => [shapeOf(located), located]));
  return [...documents.old.operations().values()].flatMap((old) => {
    const counterpart = byShape.get(shapeOf(old));
    if (counterpart === undefined) return [missing(old, current)];
    return compareOperation(documents, { old, new: counterpart });
  });
}

/** The answer for an endpoint that does not exist is one that every caller may read. */
export function compareUnknownEndpoint(documents: Pair<ContractDocument>): Finding[] {
  const [old, current] = [documents.old.root['x-unknown-endpoint'], documents.new.root['x-unknown-endpoint']];
  if (!isObject(old)) return [];
  const use = { documents, who: 'readers of responses', operation: 'unknown endpoints' } as const;
  return compareResponses(
    { ...use, direction: 'read by others' },
    { old, new: isObject(current) ? current : {} },
  );
}

const PATH_PARAMETER = /\{([^}]*)\}/g;

/** The name without those of path parameters, which no request shows. */
function shapeOf({ name }: LocatedOperation): string {
  return name.replaceAll(PATH_PARAMETER, '{}');
}

function pathParametersOf({ name }: LocatedOperation): string[] {
  return [...name.matchAll(PATH_PARAMETER)].map(([, parameter]) => `path parameter ${parameter}`);
}

/** The parameters of the later state under the names that those of the path had before. */
function parametersByOldName({ old, new: current }: Pair<LocatedOperation>): LocatedOperation['parameters'] {
  const [before, now] = [pathParametersOf(old), pathParametersOf(current)];
  return new Map(
    [...current.parameters].map(([name, parameter]) => [before[now.indexOf(name)] ?? name, parameter]),
  );
}

function renamedFindings({ old, new: current }: Pair<LocatedOperation>): Finding[] {
  const now = pathParametersOf(current);
  return pathParametersOf(old)
    .map((name, index) => ({ name, later: now[index] ?? name }))
    .filter(({ name, later }) => name !== later)
    .map(({ name, later }) => ({
      rule: 'parameter-renamed',
      place: name,
      what: `is ${later} now`,
      who: 'users of generated clients',
      uses: [old.name],
    }));
}

function missing(old: LocatedOperation, current: ReadonlyMap<string, LocatedOperation>): Finding {
  const id = textOf(old.operation.operationId);
  const moved = [...current.values()].find(
    ({ operation }) => id !== undefined && operation.operationId === id,
  );
  return moved === undefined
    ? general(old, 'operation-removed', 'it is gone')
    : general(old, 'operation-moved', `is ${moved.name} now`);
}

function compareOperation(documents: Pair<ContractDocument>, pair: Pair<LocatedOperation>): Finding[] {
  const { isWebhook, name: operation } = pair.old;
  const node: Pair<JsonObject> = { old: pair.old.operation, new: pair.new.operation };
  const uses = (part: Use['direction']): Omit<Use, 'part'> => ({
    documents,
    operation,
    direction: part,
    who: isWebhook ? 'webhook receivers' : part === 'written by others' ? 'callers' : 'readers of responses',
  });
  // Of a webhook it is the service that writes the request, and the receiver that answers it.
  const request = uses(isWebhook ? 'read by others' : 'written by others');
  const response = uses(isWebhook ? 'written by others' : 'read by others');
  return [
    ...operationIdFindings(pair),
    ...renamedFindings(pair),
    ...(isWebhook ? [] : compareSecurity(documents, operation, node)),
    ...compareParameters(request, { old: pair.old.parameters, new: parametersByOldName(pair) }),
    ...compareRequestBody(request, node),
    ...compareResponses(response, { old: responsesOf(node.old), new: responsesOf(node.new) }),
  ];
}

function operationIdFindings(pair: Pair<LocatedOperation>): Finding[] {
  const [old, current] = [pair.old.operation.operationId, pair.new.operation.operationId];
  if (old === undefined || isDeepStrictEqual(old, current)) return [];
  return [general(pair.old, 'operation-id-changed', `was ${old}, is ${current ?? 'none'}`)];
}

function compareRequestBody(use: Omit<Use, 'part'>, node: Pair<JsonObject>): Finding[] {
  const place = use.direction === 'read by others' ? 'body' : 'request body';
  const body = {
    old: use.documents.old.resolve(node.old.requestBody),
    new: use.documents.new.resolve(node.new.requestBody),
  };
  const [was, is] = [node.old.requestBody !== undefined, node.new.requestBody !== undefined];
  const report = (rule: Rule, what: string): Finding[] => [
    { rule, place, what, who: use.who, uses: [use.operation] },
  ];
  if (!was && !is) return [];
  if (was && !is) return report('body-removed', 'it is gone');
  const isNewlyRequired = body.new.required === true && body.old.required !== true;
  const isNewlyOptional = body.old.required === true && body.new.required !== true;
  if (use.direction === 'written by others')
    return [
      ...(isNewlyRequired
        ? report('body-required', was ? 'it was optional and is required' : 'it is new and required')
        : []),
      ...compareContent({ ...use, part: place }, body),
    ];
  return [
    ...(isNewlyOptional ? report('body-removed', 'it was always there and may be missing') : []),
    ...compareContent({ ...use, part: place }, body),
  ];
}

function responsesOf(node: JsonObject): JsonObject {
  return isObject(node.responses) ? node.responses : {};
}

function general(old: LocatedOperation, rule: Rule, what: string): Finding {
  const callers = rule === 'operation-id-changed' ? 'users of generated clients' : 'callers';
  const who = old.isWebhook && rule !== 'operation-id-changed' ? 'webhook receivers' : callers;
  return { rule, place: old.isWebhook ? 'webhook' : 'operation', what, who, uses: [old.name] };
}
