import { type BundledDocument, fieldsOf, operationsOf, referenceAddress, webhooksOf } from './document.ts';
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
    const address = referenceAddress(operation);
    const context = `${operation.method} ${operation.path}`;
    const place = `${operation.summary} · ${context}`;
    const own: SearchEntry = {
      kind: 'Operation',
      title: operation.summary,
      context: `${context} ${operation.id}`,
      body: plainText(operation.description),
      address,
      weight: 2,
    };
    const parameters = operation.parameters.map(
      ({ name, description }): SearchEntry => ({
        kind: 'Parameter',
        title: name,
        context: place,
        body: plainText(description),
        address,
      }),
    );
    const fields = operation.schemas.flatMap((schema) => fieldsOf(document, schema));
    return [own, ...parameters, ...fieldEntries(fields, place, address)];
  });
}

function webhookEntries(document: BundledDocument): SearchEntry[] {
  return webhooksOf(document).flatMap((webhook) => {
    const address = referenceAddress(webhook);
    const own: SearchEntry = {
      kind: 'Webhook',
      title: webhook.event,
      context: webhook.summary,
      body: plainText(webhook.description),
      address,
      weight: 2,
    };
    return [own, ...fieldEntries(fieldsOf(document, webhook.schema), webhook.event, address)];
  });
}

/** The envelope is the same everywhere, and nobody looks for it. */
const ENVELOPE = /^(?:data|meta)(?:\[\])?(?:\.(?:limit|offset|total|rq_time))?$/;

function fieldEntries(
  fields: readonly { path: string; description: string }[],
  context: string,
  address: string,
): SearchEntry[] {
  const named = new Map(
    fields.map(({ path, description }) => [path.replace(/^data(?:\[\])?\./, ''), description]),
  );
  return [...named]
    .filter(([path]) => !ENVELOPE.test(path))
    .map(([title, description]) => ({
      kind: 'Field',
      title,
      context,
      body: plainText(description),
      address,
    }));
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
