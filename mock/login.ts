import type { OperationContract } from '../server/contract/contract.ts';
import { ApiError } from '../server/domain/errors.ts';
import type { NamedExample } from './document.ts';
import { isObject } from './json.ts';

/**
 * Refuses the user of the contract's example with another password than the example's; everybody else is let in.
 * So a page that logs in can be seen to fail without a header. Throws INVALID_CREDENTIALS.
 */
export function checkLogin(
  { id }: OperationContract,
  examples: readonly NamedExample[],
  body: unknown,
): void {
  if (id !== 'login' || !isObject(body)) return;
  const isKnown = ({ value }: NamedExample) => isObject(value) && value.email === body.email;
  const isRight = ({ value }: NamedExample) => isObject(value) && value.password === body.password;
  const own = examples.filter(isKnown);
  if (own.length > 0 && !own.some(isRight)) {
    throw new ApiError('INVALID_CREDENTIALS', 'the address or the password is wrong');
  }
}
