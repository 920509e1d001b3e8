import type { components } from '../../../generated/types.ts';
import type { Tester } from '../../suite/tester.ts';
import type { Caller } from '../../suite/wire.ts';

type User = components['schemas']['User'];
type Role = components['schemas']['UserRole'];

/** Somebody who can log in, with the password. */
export type Person = User & { readonly password: string };

/** Adds a user to the target's organisation. When that fails, `requirement` is broken; without one, another check judges that. */
export async function createPerson(t: Tester, role: Role, requirement?: string): Promise<Person> {
  const body = { email: t.address(role), name: t.unique(role), role, password: password(t) };
  const { data } = await t.ok('createUser', 201, { body }, requirement);
  return { ...data, password: body.password };
}

/** Registers an organisation of its own, and returns its only owner. */
export async function registerOwner(t: Tester, requirement?: string): Promise<Person> {
  const name = t.unique('owner');
  const body = {
    organisation_name: t.unique('organisation'),
    name,
    email: t.address('owner'),
    password: password(t),
  };
  const { data } = await t.ok('register', 201, { body }, requirement);
  return { ...data.user, password: body.password };
}

/** A session of a person. */
export function sessionOf(
  t: Tester,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<Caller> {
  return t.login({ email, password });
}

/** Runs a check's work with a new user of the target's organisation, and deletes it again. */
export async function withPerson(
  t: Tester,
  role: Role,
  work: (person: Person) => Promise<void>,
): Promise<void> {
  const person = await createPerson(t, role);
  try {
    await work(person);
  } finally {
    await t.call('deleteUser', { path: { user_id: person.user_id } }).catch(() => undefined);
  }
}

/** A password that nobody else has, and that no report shows. */
export function password(t: Tester): string {
  const text = t.unique('a password of');
  t.hide(text);
  return text;
}
