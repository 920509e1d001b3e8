import { isDeepStrictEqual } from 'node:util';
import { schemaOf } from './content.ts';
import type { Finding, Rule } from './finding.ts';
import type { JsonObject } from './json.ts';
import { compareSchemas, type Pair, type Use } from './schemas.ts';

type Parameters = ReadonlyMap<string, JsonObject>;

/** What breaks in the parameters: of an operation they are sent by the caller, of a webhook by the service. */
export function compareParameters(use: Omit<Use, 'part'>, parameters: Pair<Parameters>): Finding[] {
  return [...kept(use, parameters), ...added(use, parameters)];
}

function kept(use: Omit<Use, 'part'>, parameters: Pair<Parameters>): Finding[] {
  return [...parameters.old].flatMap(([name, old]) => {
    const current = parameters.new.get(name);
    if (current === undefined) return [finding(use, 'parameter-removed', name, 'it is gone')];
    return [
      ...requiredFindings(use, name, { old, new: current }),
      ...styleFindings(use, name, { old, new: current }),
      ...compareSchemas({ ...use, part: name }, { old: schemaOf(old), new: schemaOf(current) }),
    ];
  });
}

function added(use: Omit<Use, 'part'>, parameters: Pair<Parameters>): Finding[] {
  if (use.direction === 'read by others') return [];
  return [...parameters.new]
    .filter(([name, { required }]) => required === true && !parameters.old.has(name))
    .map(([name]) => finding(use, 'parameter-required', name, 'it is new and required'));
}

function requiredFindings(use: Omit<Use, 'part'>, name: string, pair: Pair<JsonObject>): Finding[] {
  const [was, is] = [pair.old.required === true, pair.new.required === true];
  if (use.direction === 'written by others' && is && !was)
    return [finding(use, 'parameter-required', name, 'it was optional and is required')];
  if (use.direction === 'read by others' && was && !is)
    return [finding(use, 'parameter-removed', name, 'it was always there and may be missing')];
  return [];
}

function styleFindings(use: Omit<Use, 'part'>, name: string, pair: Pair<JsonObject>): Finding[] {
  const [old, current] = [serialisationOf(pair.old), serialisationOf(pair.new)];
  if (isDeepStrictEqual(old, current)) return [];
  const what = `was ${JSON.stringify(old)}, is ${JSON.stringify(current)}`;
  return [finding(use, 'parameter-serialised-differently', name, what)];
}

/** With the defaults of OpenAPI 3.1, section 4.8.12.2, so that to write them down is no change. */
function serialisationOf(parameter: JsonObject) {
  const { style = parameter.in === 'query' || parameter.in === 'cookie' ? 'form' : 'simple' } = parameter;
  const { explode = style === 'form', allowReserved = false } = parameter;
  const content = parameter.content === undefined ? {} : { content: Object.keys(Object(parameter.content)) };
  return { style, explode, allowReserved, ...content };
}

function finding(use: Omit<Use, 'part'>, rule: Rule, place: string, what: string): Finding {
  return { rule, place, what, who: use.who, uses: [use.operation] };
}
