import {
  type Answer,
  find,
  type Lookup,
  ok,
  pathId,
  readBody,
  readParameters,
  requireOwner,
  type UserCall,
} from '../call.ts';
import { stamp } from '../clock.ts';
import type { FaultId } from '../faults.ts';
import { page, pageParameters } from '../lists.ts';
import { email, isSameAddress } from '../names.ts';
import { denied, refuse } from '../refusal.ts';
import { newId, type User, type World } from '../state.ts';
import { choice, object, optional, type Rule, required, text } from '../validate.ts';

const ROLES = ['owner', 'viewer'] as const;
const SHORTEST_PASSWORD = 8;

/** The rule for names of people and organisations. */
export const personName = text({ min: 1, max: 255 });

/** The rule for a password that is to be set. */
export function newPassword(world: World): Rule<string> {
  const min = world.has('registration.short-password-accepted') ? 1 : SHORTEST_PASSWORD;
  return text({ min, max: 1024, secret: true, forbidden: /(?!)/ });
}

export function showUser({ user_id, email, name, role, created_at }: User) {
  return { user_id, email, name, role, created_at: stamp(created_at) };
}

/** Adds a user to an organisation. */
export function addUser(
  world: World,
  { organisation_id, email, name, role, password }: Omit<User, 'user_id' | 'created_at'>,
): User {
  const user = {
    user_id: newId(),
    organisation_id,
    email,
    name,
    role,
    password,
    created_at: world.clock.now(),
  };
  world.users.set(user.user_id, user);
  return user;
}

/** Ends every session of a user. */
export function endSessions(world: World, user_id: string): void {
  for (const session of world.sessions) if (session.user_id === user_id) world.sessions.delete(session);
}

function usersOf(world: World, leak: FaultId): Lookup<User> {
  return { records: world.users, missing: 'USER_NOT_FOUND', leak };
}

export function listUsers(call: UserCall): Answer {
  const { world, user } = call;
  readParameters(call, pageParameters(call));
  if (user.role === 'viewer' && world.has('users.viewer-cannot-read'))
    throw denied('viewers may not see users');
  const users = [...world.users.values()].filter(
    ({ organisation_id }) => organisation_id === user.organisation_id || world.has('users.list-leaks'),
  );
  return page(call, 'users', users, showUser);
}

export function createUser(call: UserCall): Answer {
  const { world, user } = call;
  const body = readBody(
    call,
    object({
      email: required(email),
      name: required(personName),
      role: required(choice(ROLES)),
      password: required(newPassword(world)),
    }),
  );
  requireOwner(call);
  refuseTaken(world, body.email);
  const role = world.has('users.create-ignores-role') ? 'owner' : body.role;
  return ok(showUser(addUser(world, { ...body, role, organisation_id: user.organisation_id })), 201);
}

function refuseTaken(world: World, address: string, except?: User): void {
  if (world.has('users.taken-address-accepted')) return;
  const isTaken = [...world.users.values()].some(
    (user) => user !== except && isSameAddress(user.email, address),
  );
  if (isTaken) throw refuse(409, 'ENTITY_EXISTS', `${address} is a user already`);
}

export function getUser(call: UserCall): Answer {
  const id = pathId(call, 'user_id');
  return ok(showUser(find(call, usersOf(call.world, 'users.get-leaks'), id)));
}

export function updateUser(call: UserCall): Answer {
  const { world } = call;
  const id = pathId(call, 'user_id');
  const body = readBody(
    call,
    object({
      email: optional(email),
      name: optional(personName),
      role: optional(choice(ROLES)),
      password: optional(newPassword(world)),
    }),
  );
  requireOwner(call, 'users.viewer-changes-users');
  const user = find(call, usersOf(world, 'users.update-leaks'), id);
  if (body.email !== undefined) refuseTaken(world, body.email, user);
  const isNewRole = body.role !== undefined && body.role !== user.role;
  if (isNewRole && !world.has('users.last-owner-demoted')) refuseLastOwner(world, user);
  const changed: User = {
    ...user,
    email: body.email ?? user.email,
    name: body.name ?? (world.has('users.update-clears-name') ? user.email : user.name),
    role: body.role ?? user.role,
    password: body.password ?? user.password,
  };
  if (!world.has('users.update-not-saved')) world.users.set(id, changed);
  if (isNewRole && !world.has('users.role-keeps-sessions')) endSessions(world, id);
  if (body.password !== undefined && !world.has('users.password-keeps-sessions')) endSessions(world, id);
  return ok(showUser(changed));
}

function refuseLastOwner(world: World, user: User): void {
  const owners = [...world.users.values()].filter(
    ({ organisation_id, role }) => organisation_id === user.organisation_id && role === 'owner',
  );
  if (user.role === 'owner' && owners.length === 1) {
    throw refuse(409, 'LAST_OWNER', 'an organisation keeps at least one owner');
  }
}

export function deleteUser(call: UserCall): Answer {
  const { world } = call;
  const id = pathId(call, 'user_id');
  requireOwner(call);
  const user = find(call, usersOf(world, 'users.delete-leaks'), id);
  if (!world.has('users.last-owner-deleted')) refuseLastOwner(world, user);
  if (!world.has('users.delete-not-done')) world.users.delete(id);
  if (world.has('users.delete-keeps-sessions')) world.formerUsers.set(id, user);
  else endSessions(world, id);
  return ok(showUser(user));
}
