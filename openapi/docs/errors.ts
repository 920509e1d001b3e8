import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { BundledDocument } from './document.ts';

/** A code with everything that is known about it. */
export interface ErrorEntry {
  code: string;
  /** Undefined for codes that stand beside a field or a message. */
  status: string | undefined;
  cause: string;
  cure: string;
}

/** The three places where a code stands. */
export interface ErrorCatalogue {
  request: ErrorEntry[];
  field: ErrorEntry[];
  message: ErrorEntry[];
}

type Place = keyof ErrorCatalogue;

const SCHEMAS: Readonly<Record<Place, string>> = {
  request: 'ErrorCode',
  field: 'FieldErrorCode',
  message: 'MessageRejectionCode',
};

/**
 * Joins the codes of the contract and their causes, which its schemas tell, with the cures of errors.yaml.
 * @throws an Error that names every code without a cause or a cure, and every cure without a code.
 */
export async function readErrors(document: BundledDocument): Promise<ErrorCatalogue> {
  const cures = parse(await readFile(new URL('errors.yaml', import.meta.url), 'utf8')) as Record<
    Place,
    Record<string, string>
  >;
  return joinErrors(document, cures);
}

/** As readErrors, with cures that are given. */
export function joinErrors(
  document: BundledDocument,
  cures: Readonly<Record<Place, Readonly<Record<string, string>>>>,
): ErrorCatalogue {
  const faults: string[] = [];
  const join = (place: Place): ErrorEntry[] => {
    const { enum: codes = [], description = '' } = document.components.schemas[SCHEMAS[place]] ?? {};
    const causes = causesIn(description);
    for (const code of Object.keys(cures[place])) {
      if (!codes.includes(code)) faults.push(`${place}.${code} is no code of ${SCHEMAS[place]}`);
    }
    return codes.map((code) => {
      const { status, cause } = causes.get(code) ?? { status: undefined, cause: '' };
      const cure = cures[place][code] ?? '';
      if (cause === '') faults.push(`${SCHEMAS[place]} does not say what ${code} means`);
      if (cure === '') faults.push(`${place}.${code} has no cure`);
      return { code, status, cause, cure };
    });
  };
  const catalogue = { request: join('request'), field: join('field'), message: join('message') };
  if (faults.length > 0)
    throw new Error(`openapi/docs/errors.yaml and the contract differ:\n${faults.join('\n')}`);
  return catalogue;
}

/** The rows of the table in a schema's description: code, status if there is one, meaning. */
function causesIn(description: string): Map<string, { status: string | undefined; cause: string }> {
  const rows = description.matchAll(/^\|\s*`([A-Z_]+)`\s*\|(?:\s*(\d{3})\s*\|)?\s*(.+?)\s*\|$/gm);
  return new Map([...rows].map(([, code = '', status, cause = '']) => [code, { status, cause }]));
}

/** The lists of the page on errors, each code a heading of its own so that it can be pointed at. */
export function errorsMarkdown(entries: readonly ErrorEntry[], prefix: string): string {
  return entries
    .map(({ code, status, cause, cure }) => {
      const id = `${prefix}${code.toLowerCase().replaceAll('_', '-')}`;
      const first = status === undefined ? `${sentence(cause)}` : `**${status}** · ${sentence(cause)}`;
      return `### ${code} {#${id}}\n\n${first}\n\n${cure}\n`;
    })
    .join('\n');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
