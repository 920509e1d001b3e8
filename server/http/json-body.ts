import { type BodyLimits, BodyTooLargeError, OTHER_MAX_BYTES, readBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import { parseJson } from './json.ts';

/**
 * Reads the body of a request as JSON, whatever its content type; undefined when the operation takes none, or when it may be absent and is.
 * @throws ApiError INVALID_JSON, or VALIDATION_ERROR for a body that is too large; ClientGoneError.
 */
export async function readJsonBody(
  { operation, request, response }: Exchange,
  limits: BodyLimits,
): Promise<unknown> {
  if (operation?.request.rules.body === undefined) return undefined;
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  const maxBytes = operation.request.rules.bodyIsList ? limits.maxBytes : OTHER_MAX_BYTES;
  try {
    const bytes = await readBody(request, { ...limits, maxBytes });
    return bytes.length === 0 && !operation.request.rules.bodyRequired ? undefined : parseJson(bytes);
  } catch (error) {
    throw error instanceof BodyTooLargeError ? operation.request.tooLarge(error.message) : error;
  }
}
