import { loadConfig } from '../config.ts';
import { safeText } from '../domain/safe-text.ts';
import { StartupError } from '../errors.ts';
import { fieldsOf } from '../fields.ts';

/** What is asked of the running service: a GET, or a POST when there is a body. */
export interface Question {
  path: string;
  query?: Record<string, string | undefined>;
  body?: unknown;
}

const LONGEST_REASON = 1000;
const NOT_FOUND = 404;

/**
 * Asks the service that runs on this machine, over its operations listener: it alone may open its embedded database.
 * Returns its answer as text.
 * @throws StartupError when nobody answers, or with the service's own words when it refuses.
 */
export async function askService(env: NodeJS.ProcessEnv, question: Question): Promise<string> {
  const { path, query = {}, body } = question;
  const url = new URL(`http://127.0.0.1:${loadConfig(env).opsPort}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const hint = 'Start the service first, with the same SENDSPEC_OPS_PORT.';
  const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url, request).catch((cause: unknown) => {
    throw new StartupError(`No service answers at ${url.origin}${path}.`, hint, { cause });
  });
  const text = await response.text();
  if (response.ok) return text;
  const reason = response.status === NOT_FOUND ? undefined : reasonIn(text);
  if (reason !== undefined) throw new StartupError(reason, '');
  throw new StartupError(`The service answered ${response.status} at ${url.origin}${path}.`, hint);
}

/** What the service says is wrong: `{"error": "..."}`. */
function reasonIn(text: string): string | undefined {
  try {
    const { error } = fieldsOf(JSON.parse(text));
    return typeof error === 'string' ? safeText(error, LONGEST_REASON) : undefined;
  } catch {
    return undefined;
  }
}
