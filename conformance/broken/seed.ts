import { newId, newSecret, type World } from './state.ts';

/** An organisation as a target names it. */
export interface Tenant {
  email: string;
  password: string;
  from_email: string;
  domain_id: string;
  accounts: { account_id: string; api_key: string; type: 'transactional' | 'marketing' }[];
}

/** Adds an organisation with an owner, a verified domain and an account of each type that may send from it. */
export function seedTenant(world: World, name: string): Tenant {
  const organisation_id = newId();
  const now = world.clock.now();
  world.organisations.set(organisation_id, { organisation_id, name, created_at: now });
  const email = `owner@${name}.test`;
  const password = newSecret();
  const user_id = newId();
  world.users.set(user_id, {
    user_id,
    organisation_id,
    email,
    name: 'Owner',
    role: 'owner',
    password,
    created_at: now,
  });
  const accounts = [
    seedAccount(world, organisation_id, 'transactional'),
    seedAccount(world, organisation_id, 'marketing'),
  ];
  const domain_id = newId();
  world.domains.set(domain_id, {
    domain_id,
    organisation_id,
    name: `${name}.test`,
    account_ids: accounts.map(({ account_id }) => account_id),
    dkim_verified_at: now,
    return_path_verified_at: now,
    rotated_at: null,
    signs_with: 1,
    return_path_hostname: 'cs-bounces',
  });
  return { email, password, from_email: `hello@${name}.test`, domain_id, accounts };
}

function seedAccount(world: World, organisation_id: string, type: 'transactional' | 'marketing') {
  const account_id = newId();
  const api_key_id = newId();
  const api_key = newSecret();
  world.accounts.set(account_id, {
    account_id,
    organisation_id,
    name: `The ${type} one`,
    status: 'active',
    type,
  });
  const created_at = world.clock.now();
  const key = {
    api_key_id,
    organisation_id,
    account_id,
    name: 'first',
    api_key,
    created_at,
    last_used_at: null,
  };
  world.keys.set(api_key_id, key);
  return { account_id, api_key, type };
}
