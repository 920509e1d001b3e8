import {
  type Answer,
  find,
  foreignRefusal,
  isForeign,
  missing,
  ok,
  pathId,
  readBody,
  readParameters,
  requireOwner,
  type UserCall,
} from '../call.ts';
import { stamp } from '../clock.ts';
import { page, pageParameters } from '../lists.ts';
import { type ApiKey, newId, newSecret } from '../state.ts';
import { object, required, text } from '../validate.ts';
import { accountsOf } from './accounts.ts';

const PREFIX_LENGTH = 8;

function showKey({ api_key_id, account_id, name, api_key, created_at, last_used_at }: ApiKey) {
  return {
    api_key_id,
    account_id,
    name,
    prefix: api_key.slice(0, PREFIX_LENGTH),
    created_at: stamp(created_at),
    last_used_at: last_used_at === null ? null : stamp(last_used_at),
  };
}

export function listApiKeys(call: UserCall): Answer {
  const { world } = call;
  const account_id = pathId(call, 'account_id');
  readParameters(call, pageParameters(call));
  find(call, accountsOf(world, 'api-keys.list-leaks'), account_id);
  const keys = [...world.keys.values()];
  const ofAccount = keys.filter((key) => key.account_id === account_id);
  const ofOrganisation = keys.filter((key) => key.organisation_id === call.user.organisation_id);
  const shown = world.has('api-keys.list-of-all-accounts') ? ofOrganisation : ofAccount;
  const show = (key: ApiKey) =>
    world.has('api-keys.list-shows-keys')
      ? { ...showKey(key), prefix: key.api_key.slice(0, 32), api_key: key.api_key }
      : showKey(key);
  return page(call, 'api-keys', shown, show);
}

export function createApiKey(call: UserCall): Answer {
  const { world } = call;
  const account_id = pathId(call, 'account_id');
  const { name } = readBody(call, object({ name: required(text({ min: 1, max: 255 })) }));
  requireOwner(call);
  const account = find(call, accountsOf(world, 'api-keys.create-leaks'), account_id);
  const key: ApiKey = {
    api_key_id: newId(),
    organisation_id: account.organisation_id,
    account_id,
    name,
    api_key: newSecret(),
    created_at: world.clock.now(),
    last_used_at: null,
  };
  if (world.has('api-keys.create-replaces-others')) removeKeys(call, account_id);
  if (!world.has('api-keys.create-useless')) world.keys.set(key.api_key_id, key);
  return ok({ ...showKey(key), api_key: key.api_key }, 201);
}

export function revokeApiKey(call: UserCall): Answer {
  const { world } = call;
  const account_id = pathId(call, 'account_id');
  const api_key_id = pathId(call, 'api_key_id');
  requireOwner(call);
  const key = world.keys.get(api_key_id);
  if (key !== undefined && isForeign(call, 'api-keys.revoke-leaks', key))
    throw foreignRefusal(call, 'API_KEY_NOT_FOUND');
  find(call, accountsOf(world, 'api-keys.revoke-leaks'), account_id);
  if (key === undefined) throw missing(call, 'API_KEY_NOT_FOUND');
  if (key.account_id !== account_id && !world.has('api-keys.revoke-ignores-account')) {
    throw missing(call, 'API_KEY_NOT_FOUND');
  }
  if (world.has('api-keys.revoke-takes-all')) removeKeys(call, key.account_id);
  if (!world.has('api-keys.revoke-not-done')) world.keys.delete(api_key_id);
  return ok(showKey(key));
}

function removeKeys({ world }: UserCall, account_id: string): void {
  for (const [id, key] of world.keys) if (key.account_id === account_id) world.keys.delete(id);
}
