import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

/** One kind of request, sent again and again. */
export interface LoadRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  /** A file with the body. */
  bodyFile?: string;
}

interface AutocannonResult {
  duration: number;
  errors: number;
  timeouts: number;
  non2xx: number;
  '2xx': number;
}

const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon');
const MAX_OUTPUT_BYTES = 16 * 2 ** 20;

/**
 * Sends a request over so many connections for so many seconds, from a process of its own; returns the requests per second.
 * Throws when a single one is not answered with 2xx: what fails fast is not fast.
 */
export async function requestsPerSecond(
  request: LoadRequest,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> {
  const { method, url, headers, bodyFile } = request;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      AUTOCANNON,
      ...['--json', '--no-progress', '-m', method, '-c', String(connections), '-d', String(seconds)],
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]),
      ...(bodyFile === undefined ? [] : ['-i', bodyFile]),
      url,
    ],
    { maxBuffer: MAX_OUTPUT_BYTES },
  );
  const result = JSON.parse(stdout) as AutocannonResult;
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0 || result['2xx'] === 0) {
    throw new Error(`${method} ${url}: ${failed} of ${failed + result['2xx']} requests failed`);
  }
  return result['2xx'] / result.duration;
}
