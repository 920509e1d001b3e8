import type { OperationId } from '../../generated/operations.ts';
import { type Exchange, TransportFault } from '../http/exchange.ts';
import { RateLimited } from '../http/pace.ts';
import type { Target, TargetAccount, TargetTenant } from '../target/target.ts';
import { parsed, valueAt } from './answer.ts';
import type { RunContext } from './run-context.ts';
import type { Caller } from './wire.ts';

/** The target cannot be judged as its file describes it. The message says why, and what to do. */
export class PreflightFailed extends Error {}

/**
 * Finds out whether the server is there, takes the credentials of the target file and has what it declares. What is merely
 * answered wrongly is left to the checks.
 * @throws PreflightFailed with the first thing that keeps the run from meaning anything.
 */
export async function preflight({ wire, target }: RunContext): Promise<void> {
  const ask = async (operation: OperationId, as: Caller, more: object = {}) => {
    try {
      return usable(await wire.send({ operation, as, ...more }), target);
    } catch (error) {
      if (error instanceof RateLimited)
        throw new PreflightFailed(`${target.base_url} lets nobody in: ${error.message}.`);
      if (!(error instanceof TransportFault)) throw error;
      throw new PreflightFailed(
        `${target.base_url} cannot be used: ${error.message}. Is the server running, and base_url right?`,
      );
    }
  };
  for (const [index, tenant] of target.tenants.entries()) {
    const token = await loginOf(tenant, `tenants[${index}]`, ask);
    if (token !== undefined) await checkDomain(tenant, `tenants[${index}]`, { kind: 'bearer', token }, ask);
    for (const [position, account] of tenant.accounts.entries())
      await checkKey(account, `tenants[${index}].accounts[${position}]`, ask);
  }
}

type Ask = (operation: OperationId, as: Caller, more?: object) => Promise<{ status: number; json: unknown }>;

/** A response that a server of this contract may give, whatever its status. */
function usable(
  { response, fault, request }: Exchange,
  { base_url: address }: Target,
): { status: number; json: unknown } {
  const where = `${request.method} ${request.path}`;
  if (response === undefined)
    throw new PreflightFailed(
      `${address} cannot be used: ${fault} (${where}). Is base_url right, and ca_file the authority that signed its certificate?`,
    );
  const json = parsed(response.text);
  const type = response.headers['content-type'] ?? 'no content type';
  if (json === undefined)
    throw new PreflightFailed(
      `${address} answered ${where} with ${response.status} and a body that is not JSON (${type}). Is base_url the address of the API, without /v1?`,
    );
  if (response.status === 404)
    throw new PreflightFailed(
      `${address} has no endpoint ${where}. Is base_url the address of the API, without /v1?`,
    );
  if (response.status >= 500)
    throw new PreflightFailed(
      `${address} answered ${where} with ${response.status}: the server is not in a state to be judged.`,
    );
  return { status: response.status, json };
}

async function loginOf(tenant: TargetTenant, where: string, ask: Ask): Promise<string | undefined> {
  const { email, password } = tenant;
  const { status, json } = await ask(
    'login',
    { kind: 'nobody' },
    { body: { email, password, grant_type: 'password' } },
  );
  if (status === 401) throw new PreflightFailed(`The server refuses email and password of ${where} (401).`);
  const token = valueAt(json, 'access_token');
  return status === 200 && typeof token === 'string' ? token : undefined;
}

async function checkDomain(tenant: TargetTenant, where: string, as: Caller, ask: Ask): Promise<void> {
  const { domain_id: id, from_email: from } = tenant;
  const { status, json } = await ask('getDomain', as, { path: { domain_id: id } });
  if (status === 403 || status === 409 || status === 422)
    throw new PreflightFailed(`The server has no domain ${id} for ${where} (${status}).`);
  for (const field of ['dkim_verified_at', 'return_path_verified_at']) {
    if (status === 200 && valueAt(json, `data.${field}`) === null)
      throw new PreflightFailed(
        `The domain of ${where} is not verified (${field} is null); ${from} cannot send.`,
      );
  }
}

async function checkKey(account: TargetAccount, where: string, ask: Ask): Promise<void> {
  const { status } = await ask('sendEmail', { kind: 'basic', ...account }, { body: [] });
  if (status === 401)
    throw new PreflightFailed(`The server refuses account_id and api_key of ${where} (401).`);
  if (status === 403)
    throw new PreflightFailed(`The account of ${where} may not send (403); is it disabled?`);
}
