import { type Answer, type Call, ok, readBody, type UserCall } from '../call.ts';
import { HOUR, stamp } from '../clock.ts';
import { resetMail } from '../mail.ts';
import { email, isSameAddress } from '../names.ts';
import { refuse } from '../refusal.ts';
import { newId, newSecret, type Session, type User, type World } from '../state.ts';
import { object, required, text } from '../validate.ts';
import { addUser, endSessions, newPassword, personName, showUser } from './users.ts';

const TOKEN_SECONDS = 3600;
const REFRESH_HOURS = 30n * 24n;
const secret = text({ min: 1, max: 1024, secret: true, forbidden: /(?!)/ });

function grantType(world: World, only: string) {
  return (value: unknown, field: string) => {
    const reading = required(text({ max: 100 }))(value, field);
    if ('problems' in reading || reading.value === only || world.has('login.grant-type-unchecked'))
      return reading;
    return {
      problems: [
        {
          field,
          value: reading.value.slice(0, 255),
          errors: [{ code: 'CHOICE' as const, description: `must be ${only}` }],
        },
      ],
    };
  };
}

export function login(call: Call): Answer {
  const { world } = call;
  const body = readBody(
    call,
    object({ email: required(email), password: required(secret), grant_type: grantType(world, 'password') }),
  );
  const user = userOf(world, body.email);
  const isRight = user?.password === body.password || world.has('login.any-password');
  if (user === undefined || !isRight)
    throw refuse(401, 'INVALID_CREDENTIALS', 'the address or the password is wrong');
  const session: Session = {
    user_id: user.user_id,
    access_token: '',
    refresh_token: '',
    used: new Set(),
    expires_at: 0n,
    refresh_until: 0n,
  };
  renew(world, session);
  world.sessions.add(session);
  return tokens(world, session);
}

function userOf(world: World, address: string): User | undefined {
  return [...world.users.values()].find((user) => isSameAddress(user.email, address));
}

function renew(world: World, session: Session): void {
  session.used.add(session.refresh_token);
  session.access_token = newSecret();
  session.refresh_token = newSecret();
  session.expires_at = world.clock.now() + BigInt(TOKEN_SECONDS) * 1_000_000n;
  session.refresh_until = world.clock.now() + REFRESH_HOURS * HOUR;
}

function tokens(world: World, { access_token, refresh_token }: Session): Answer {
  const body = { token_type: 'Bearer', expires_in: TOKEN_SECONDS, access_token, refresh_token };
  return { status: 200, body: world.has('login.wrapped-in-data') ? { data: body, meta: {} } : body };
}

export function logout({ world, session, user }: UserCall): Answer {
  if (world.has('logout.ends-all-sessions')) endSessions(world, user.user_id);
  if (world.has('logout.keeps-access')) {
    session.refresh_until = 0n;
  } else if (world.has('logout.keeps-refresh')) {
    session.expires_at = 0n;
  } else {
    world.sessions.delete(session);
  }
  return ok('OK');
}

export function refreshToken(call: Call): Answer {
  const { world } = call;
  const body = readBody(
    call,
    object({ refresh_token: required(secret), grant_type: grantType(world, 'refresh_token') }),
  );
  const isUsed = (session: Session) => session.used.has(body.refresh_token);
  const session = [...world.sessions].find((one) => one.refresh_token === body.refresh_token || isUsed(one));
  const isOver = session !== undefined && session.refresh_until < world.clock.now();
  if (session === undefined || isOver)
    throw refuse(401, 'INVALID_CREDENTIALS', 'the refresh token is of no use');
  if (isUsed(session) && !world.has('refresh.reuse-accepted')) {
    if (!world.has('refresh.reuse-keeps-session')) world.sessions.delete(session);
    throw refuse(401, 'INVALID_CREDENTIALS', 'the refresh token was used before');
  }
  if (world.has('refresh.old-access-lives'))
    world.sessions.add({ ...session, refresh_token: newSecret(), used: new Set() });
  renew(world, session);
  if (world.has('refresh.new-access-useless'))
    return tokens(world, { ...session, access_token: newSecret() });
  return tokens(world, session);
}

export function register(call: Call): Answer {
  const { world } = call;
  const body = readBody(
    call,
    object({
      organisation_name: required(personName),
      name: required(personName),
      email: required(email),
      password: required(newPassword(world)),
    }),
  );
  if (userOf(world, body.email) !== undefined && !world.has('registration.taken-accepted')) {
    throw refuse(409, 'ENTITY_EXISTS', `${body.email} is a user already`);
  }
  const organisation = {
    organisation_id: newId(),
    name: body.organisation_name,
    created_at: world.clock.now(),
  };
  world.organisations.set(organisation.organisation_id, organisation);
  const role = world.has('registration.first-user-is-viewer') ? 'viewer' : 'owner';
  const user = addUser(world, { ...body, role, organisation_id: organisation.organisation_id });
  if (world.has('registration.password-lost')) user.password = newSecret();
  return ok(
    { organisation: { ...organisation, created_at: stamp(organisation.created_at) }, user: showUser(user) },
    201,
  );
}

export function requestPasswordReset(call: Call): Answer {
  const { world } = call;
  const body = readBody(call, object({ email: required(email) }));
  const user = userOf(world, body.email);
  if (user === undefined) {
    if (world.has('reset.tells-who-is-a-user')) throw refuse(409, 'USER_NOT_FOUND', 'there is no such user');
    return ok('OK');
  }
  if (!world.has('reset.earlier-token-lives')) {
    for (const [token, { user_id }] of world.resets) if (user_id === user.user_id) world.resets.delete(token);
  }
  const token = newSecret();
  world.resets.set(token, { user_id: user.user_id, expires_at: world.clock.now() + HOUR });
  if (!world.has('reset.no-mail')) world.mails.push(resetMail(world, user.email, token));
  return ok('OK');
}

export function confirmPasswordReset(call: Call): Answer {
  const { world } = call;
  const body = readBody(call, object({ token: required(secret), password: required(newPassword(world)) }));
  const reset = world.resets.get(body.token);
  const isOver =
    reset !== undefined && reset.expires_at < world.clock.now() && !world.has('reset.token-never-expires');
  const user = reset === undefined || isOver ? undefined : world.users.get(reset.user_id);
  if (user === undefined) throw refuse(409, 'PASSWORD_RESET_NOT_FOUND', 'the token is of no use');
  if (!world.has('reset.token-works-twice')) world.resets.delete(body.token);
  if (!world.has('reset.password-unchanged')) user.password = body.password;
  if (!world.has('reset.keeps-sessions')) endSessions(world, user.user_id);
  return ok('OK');
}
