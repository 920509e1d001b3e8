import type { ApiError } from '../server/domain/errors.ts';
import { isObject, valueAt } from './json.ts';

type Content = Pick<ApiError, 'code' | 'errors'>;

/** The code and the errors of an error body of the contract. Throws TypeError for what is none. */
export function errorBody(body: unknown): Content {
  const data = valueAt(body, 'data');
  if (!isErrorContent(data)) throw new TypeError('An example of an error is no error of the contract.');
  return data;
}

/** The lint rules of the contract have checked its examples: what looks like an error is one. */
function isErrorContent(data: unknown): data is Content {
  return isObject(data) && typeof data.code === 'string' && Array.isArray(data.errors);
}
