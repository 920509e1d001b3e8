import { type BundledDocument, type CodeSample, type Operation, operationsOf } from '../document.ts';
import { clientSample } from './client.ts';
import { curlSample } from './curl.ts';
import { pythonSample } from './python.ts';
import { type SampleRequest, sampleRequest } from './values.ts';

/** A language that samples are written in. */
export type SampleLanguage = 'curl' | 'client' | 'python';

interface Writer {
  /** One of the languages that redocly.yaml lists. */
  lang: string;
  label: string;
  write(operation: Operation, request: SampleRequest): string;
}

const WRITERS: Readonly<Record<SampleLanguage, Writer>> = {
  curl: { lang: 'Shell', label: 'curl', write: curlSample },
  client: { lang: 'JavaScript', label: 'TypeScript client', write: clientSample },
  python: { lang: 'Python', label: 'Python', write: pythonSample },
};

/**
 * A program that calls the operation, made from the examples of the contract. What belongs to whoever runs it comes from
 * environment variables: SENDSPEC_URL, SENDSPEC_TOKEN or ACCOUNT_ID and API_KEY, and the identifiers of the path.
 * @throws when the operation has no example of its body.
 */
export function sampleOf(operation: Operation, language: SampleLanguage): string {
  return WRITERS[language].write(operation, sampleRequest(operation));
}

/** The document with samples in every language on every operation. */
export function addCodeSamples(document: BundledDocument): BundledDocument {
  const copy = structuredClone(document);
  for (const { operation, bundled } of operationsOf(copy)) {
    bundled['x-codeSamples'] = Object.entries(WRITERS).map(
      ([, writer]): CodeSample => ({
        lang: writer.lang,
        label: writer.label,
        source: writer.write(operation, sampleRequest(operation)),
      }),
    );
  }
  return copy;
}
