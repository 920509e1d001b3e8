import { compareContent } from './content.ts';
import type { Finding, Rule } from './finding.ts';
import { type JsonObject, objectOf } from './json.ts';
import { compareSchemas, type Pair, type Use } from './schemas.ts';

/** What breaks in the responses: of an operation the caller reads them, of a webhook the receiver gives them. */
export function compareResponses(use: Omit<Use, 'part'>, responses: Pair<JsonObject>): Finding[] {
  const [old, current] = [Object.keys(responses.old), Object.keys(responses.new)];
  const gone = old.filter((status) => !current.includes(status));
  const added = use.direction === 'read by others' ? current.filter((status) => !old.includes(status)) : [];
  return [
    ...gone.map((status) => finding(use, 'status-removed', `response ${status}`, 'it is gone')),
    ...added.map((status) => finding(use, 'status-added', `response ${status}`, 'it is new')),
    ...old
      .filter((status) => current.includes(status))
      .flatMap((status) => compareResponse(use, status, responses)),
  ];
}

function compareResponse(use: Omit<Use, 'part'>, status: string, responses: Pair<JsonObject>): Finding[] {
  const response = {
    old: use.documents.old.resolve(responses.old[status]),
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
      ...compareSchemas(
        { ...use, part: place },
        { old: header.old.schema ?? true, new: header.new.schema ?? true },
      ),
    ];
  });
}

function finding(use: Omit<Use, 'part'>, rule: Rule, place: string, what: string): Finding {
  return { rule, place, what, who: use.who, uses: [use.operation] };
}
