import { compareContent, schemaOf } from './content.ts';
import type { Finding, Rule } from './finding.ts';
import { type JsonObject, objectOf } from './json.ts';
import { compareSchemas, type Pair, type Use } from './schemas.ts';

/** What breaks in the responses: of an operation the caller reads them, of a webhook the receiver gives them. */
export function compareResponses(use: Omit<Use, 'part'>, responses: Pair<JsonObject>): Finding[] {
  const [old, current] = [Object.keys(responses.old), Object.keys(responses.new)];
  const gone = old.filter((status) => !current.includes(status));
  const fresh = use.direction === 'read by others' ? current.filter((status) => !old.includes(status)) : [];
  return [
    ...gone.map((status) => finding(use, 'status-removed', `response ${status}`, 'it is gone')),
    ...fresh
      .filter((status) => coverOf(status, old) === undefined)
      .map((status) => finding(use, 'status-added', `response ${status}`, 'it is new')),
    ...[...old.filter((status) => current.includes(status)), ...fresh].flatMap((status) =>
      compareResponse(use, status, responses),
    ),
  ];
}

/** What a status was announced as: itself, or the range that it lies in. */
function coverOf(status: string, old: readonly string[]): string | undefined {
  return [status, `${status.charAt(0)}XX`, 'default'].find((announced) => old.includes(announced));
}

function compareResponse(use: Omit<Use, 'part'>, status: string, responses: Pair<JsonObject>): Finding[] {
  const cover = coverOf(status, Object.keys(responses.old));
  if (cover === undefined) return [];
  const response = {
    old: use.documents.old.resolve(responses.old[cover]),
    new: use.documents.new.resolve(responses.new[status]),
  };
  const part = `response ${status}`;
  return [
    ...compareHeaders(use, part, {
      old: objectOf(response.old.headers),
      new: objectOf(response.new.headers),
    }),
    ...compareContent({ ...use, part }, response),
  ];
}

/** Header names in any letter case, as RFC 9110, section 5.1 has it. */
function compareHeaders(use: Omit<Use, 'part'>, part: string, headers: Pair<JsonObject>): Finding[] {
  if (use.direction === 'written by others') return [];
  const current = new Map(Object.entries(headers.new).map(([name, node]) => [name.toLowerCase(), node]));
  return Object.entries(headers.old).flatMap(([name, node]) => {
    const place = `${part} header ${name}`;
    const counterpart = current.get(name.toLowerCase());
    if (counterpart === undefined) return [finding(use, 'header-removed', place, 'it is gone')];
    const header = { old: use.documents.old.resolve(node), new: use.documents.new.resolve(counterpart) };
    const isLessCertain = header.old.required === true && header.new.required !== true;
    return [
      ...(isLessCertain
        ? [finding(use, 'header-removed', place, 'it was always there and may be missing')]
        : []),
      ...compareSchemas({ ...use, part: place }, { old: schemaOf(header.old), new: schemaOf(header.new) }),
    ];
  });
}

function finding(use: Omit<Use, 'part'>, rule: Rule, place: string, what: string): Finding {
  return { rule, place, what, who: use.who, uses: [use.operation] };
}
