import type { Finding } from './finding.ts';
import { type JsonObject, objectOf } from './json.ts';
import { compareSchemas, type Pair, type Use } from './schemas.ts';

/** The schema of a parameter or header, which may stand in its only media type. */
export function schemaOf(carrier: JsonObject): unknown {
  const [only] = Object.values(objectOf(carrier.content));
  return carrier.schema ?? objectOf(only).schema ?? true;
}

/** What breaks in the body of a request, a response or a webhook: its media types, and the schema of each. */
export function compareContent(use: Use, carriers: Pair<JsonObject>): Finding[] {
  const content = { old: objectOf(carriers.old.content), new: objectOf(carriers.new.content) };
  const [old, current] = [Object.keys(content.old), Object.keys(content.new)];
  const gone = old.filter((type) => !current.includes(type));
  const added = use.direction === 'read by others' ? current.filter((type) => !old.includes(type)) : [];
  const report = (rule: 'media-type-removed' | 'media-type-added', what: string): Finding => ({
    rule,
    place: use.part,
    what,
    who: use.who,
    uses: [use.operation],
  });
  return [
    ...gone.map((type) => report('media-type-removed', `${type} is gone`)),
    ...added.map((type) => report('media-type-added', `${type} may come`)),
    ...old
      .filter((type) => current.includes(type))
      .flatMap((type) =>
        compareSchemas(use, {
          old: objectOf(content.old[type]).schema ?? true,
          new: objectOf(content.new[type]).schema ?? true,
        }),
      ),
  ];
}
