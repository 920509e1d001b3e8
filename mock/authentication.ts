import type { OperationContract } from '../server/contract/contract.ts';
import { basicCredentials, bearerToken, invalidCredentials } from '../server/http/authentication.ts';

/** Lets in whoever shows well-formed credentials of the kind that the operation asks for. Throws INVALID_CREDENTIALS for everybody else. */
export function checkCredentials({ security }: OperationContract, authorization = ''): void {
  if (security === 'none') return;
  const { apiKey = '' } = basicCredentials(authorization) ?? {};
  const isGiven = security === 'bearer' ? bearerToken(authorization) !== undefined : apiKey !== '';
  if (!isGiven) throw invalidCredentials(security);
}
