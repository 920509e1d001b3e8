import type { ReportedRequest } from '../model.ts';
import { visible } from '../text.ts';

const LONGEST_BODY = 4000;
// curl writes these itself.
const OWN_HEADERS = new Set(['host', 'content-length', 'connection', 'transfer-encoding']);

/** A command that sends a request again; secrets are redacted, so they have to be filled in. A long body comes from a file. */
export function curlOf({ method, url, headers, body }: ReportedRequest): string {
  const sent = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  return [
    `curl --globoff --include --request ${quoted(method)} ${quoted(url)}`,
    ...sent.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === null
      ? []
      : [body.length > LONGEST_BODY ? '--data-binary @body' : `--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** A word of a POSIX shell; with $'...' of bash and zsh where the text holds what cannot be seen. */
function quoted(text: string): string {
  if (/^[\w./:-]+$/.test(text)) return text;
  if (visible(text) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${visible(text.replaceAll('\\', '\\\\').replaceAll("'", "\\'"))}'`;
}
