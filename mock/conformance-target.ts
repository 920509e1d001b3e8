import type { ContractDocument } from '../server/contract/document.ts';
import { documentedOperations, readBundle } from './document.ts';
import { isObject, valueAt } from './json.ts';

const API_KEY = 'any';

/**
 * The target file with which the conformance suite judges the form of the mock's answers: the user, the domain and the account of the examples.
 * Throws when the contract lacks one of them.
 */
export function conformanceTarget(url: string): object {
  const document: ContractDocument = JSON.parse(readBundle());
  const operations = documentedOperations(document);
  const success = (id: string) => valueAt(operations.get(id)?.answers[0]?.examples[0]?.value, 'data');
  const login = operations.get('login')?.requests[0]?.value;
  const domain = success('getDomain');
  const account = success('getAccount');
  if (!isObject(login) || !isObject(domain) || !isObject(account)) {
    throw new Error('The contract shows no login, no domain or no account.');
  }
  const { account_id, type } = account;
  return {
    base_url: url,
    tenants: [
      {
        email: login.email,
        password: login.password,
        from_email: `hello@${domain.name}`,
        domain_id: domain.domain_id,
        accounts: [{ account_id, api_key: API_KEY, type }],
      },
    ],
    profiles: ['core', 'extensions'],
    settle_timeout_ms: 1000,
  };
}
