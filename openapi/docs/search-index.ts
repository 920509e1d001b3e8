import {
  type BundledDocument,
  fieldAddress,
  fieldsOf,
  type Operation,
  operationsOf,
  type PlacedSchema,
  referenceAddress,
  webhooksOf,
} from './document.ts';
import { plainText, type Section } from './markdown.ts';

/** What the search finds, and where it leads. */
export interface SearchEntry {
  kind: 'Operation' | 'Webhook' | 'Field' | 'Parameter' | 'Error code' | 'Guide' | 'Decision' | 'Changelog';
  title: string;
  /** `POST /v1/send_email` */
  context?: string;
  body?: string;
  /** Below the folder of the site. */
  address: string;
  /** Above 1 comes earlier. */
  weight?: number;
}

/** A page with what stands below its headings. */
export interface SearchablePage {
  file: string;
  title: string;
  kind: SearchEntry['kind'];
  sections: readonly Section[];
}

/** Everything that the search of the site finds. */
export function searchEntries(document: BundledDocument, pages: readonly SearchablePage[]): SearchEntry[] {
  return [...operationEntries(document), ...webhookEntries(document), ...pages.flatMap(pageEntries)];
}

function operationEntries(document: BundledDocument): SearchEntry[] {
  return operationsOf(document).flatMap(({ operation }) => {
    const context = `${operation.method} ${operation.path}`;
    const own: SearchEntry = {
      kind: 'Operation',
      title: operation.summary,
      context: `${context} ${operation.id}`,
      body: plainText(operation.description),
      address: referenceAddress(operation),
      weight: 2,
    };
    const where = `${operation.summary} · ${context}`;
    const parameters = operation.parameters.map(
      (parameter): SearchEntry => ({
        kind: 'Parameter',
        title: parameter.name,
        context: where,
        body: plainText(parameter.description),
        address: fieldAddress(operation, `t=request&in=${parameter.in}`, parameter.name),
      }),
    );
    return [own, ...parameters, ...fieldEntries(document, operation, operation.schemas, where)];
  });
}

function webhookEntries(document: BundledDocument): SearchEntry[] {
  return webhooksOf(document).flatMap((webhook) => {
    const own: SearchEntry = {
      kind: 'Webhook',
      title: webhook.event,
      context: webhook.summary,
      body: plainText(webhook.description),
      address: referenceAddress(webhook),
      weight: 2,
    };
    const schemas = [{ place: 't=request', schema: webhook.schema }];
    return [own, ...fieldEntries(document, webhook, schemas, webhook.event)];
  });
}

/** The envelope is the same everywhere, and nobody looks for it. */
const ENVELOPE = /^(?:data|meta)(?:\[\])?(?:\.(?:limit|offset|total|rq_time))?$/;

/** Each name once: what is asked for goes before what is answered. */
function fieldEntries(
  document: BundledDocument,
  owner: Pick<Operation, 'id' | 'tag'>,
  schemas: readonly PlacedSchema[],
  context: string,
): SearchEntry[] {
  const entries = new Map<string, SearchEntry>();
  for (const { place, schema } of schemas) {
    for (const { path, description, shownAt } of fieldsOf(document, schema)) {
      const title = path.replace(/^data(?:\[\])?\./, '');
      if (ENVELOPE.test(path) || entries.has(title)) continue;
      const address = fieldAddress(owner, place, shownAt);
      entries.set(title, { kind: 'Field', title, context, body: plainText(description), address });
    }
  }
  return [...entries.values()];
}

function pageEntries({ file, title, kind, sections }: SearchablePage): SearchEntry[] {
  return sections.map((section) => {
    const isTop = section.depth === 1;
    return {
      kind: /^[A-Z]+(?:_[A-Z]+)+$|^[A-Z]{3,}$/.test(section.text) ? 'Error code' : kind,
      title: section.text,
      ...(isTop ? {} : { context: title }),
      body: section.body.trim(),
      address: isTop ? file : `${file}#${section.id}`,
      weight: isTop ? 2 : 1.5,
    };
  });
}
