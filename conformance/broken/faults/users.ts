import type { Rule } from './rule.ts';

export const USER_RULES = [
  {
    rule: 'Registering creates an organisation and its first user, who is an owner; 201.',
    operations: ['register'],
    faults: {
      'registration.is-200': 'registering is 200',
      'registration.user-missing': 'the answer has no user',
      'registration.first-user-is-viewer': 'the first user is a viewer',
      'registration.password-lost': 'the password does not work',
      'registration.taken-accepted': 'an address can be registered twice',
      'registration.short-password-accepted': 'a short password is accepted',
    },
  },
  {
    rule: 'Asking for a reset mails a token, answers the same for everybody, and makes the earlier token useless.',
    operations: ['requestPasswordReset'],
    faults: {
      'reset.request-is-202': 'the request is 202',
      'reset.no-mail': 'there is no mail',
      'reset.tells-who-is-a-user': 'an unknown address is 409',
      'reset.earlier-token-lives': 'the earlier token works on',
    },
  },
  {
    rule: 'A reset token is valid for one hour, works once, sets the password and ends every session of the user.',
    operations: ['confirmPasswordReset'],
    faults: {
      'reset.confirm-is-204': 'the confirmation is 204',
      'reset.bad-token-is-401': 'a token that is of no use is 401',
      'reset.token-never-expires': 'a token works after an hour',
      'reset.token-works-twice': 'a token works twice',
      'reset.password-unchanged': 'the password stays as it was',
      'reset.keeps-sessions': 'sessions live on',
    },
  },
  {
    rule: 'A viewer reads everything and changes nothing (403).',
    operations: [
      'createAccount',
      'updateAccount',
      'deleteAccount',
      'createDomain',
      'createSuppression',
      'createUser',
      'createApiKey',
    ],
    faults: {
      'users.viewer-writes': 'a viewer may do everything',
    },
  },
  {
    rule: 'A viewer reads everything and changes nothing, the own record included.',
    operations: ['updateUser'],
    faults: {
      'users.viewer-changes-users': 'a viewer changes users',
    },
  },
  {
    rule: 'The users of the organisation, newest first. A viewer may list them too.',
    operations: ['listUsers'],
    faults: {
      'users.viewer-cannot-read': 'a viewer may not list users',
      'users.list-leaks': 'the list has users of all organisations',
      'users.list-lacks-created-at': 'users of the list have no created_at',
    },
  },
  {
    rule: 'Adds a user with a role; an email address belongs to one user of the whole service; 201.',
    operations: ['createUser'],
    faults: {
      'users.create-is-200': 'creating a user is 200',
      'users.create-ignores-role': 'every new user is an owner',
      'users.taken-address-accepted': 'an address can belong to two users',
    },
  },
  {
    rule: 'One user of the organisation: user_id, email, name, role, created_at.',
    operations: ['getUser'],
    faults: {
      'users.role-missing': 'there is no role',
      'users.get-leaks': 'anybody reads a user',
    },
  },
  {
    rule: 'A missing resource is 409 USER_NOT_FOUND.',
    operations: ['getUser', 'updateUser', 'deleteUser'],
    faults: {
      'users.missing-is-404': 'a user who does not exist is 404',
    },
  },
  {
    rule: 'Changes what the body names and leaves the rest; a new password or role ends the sessions of the user.',
    operations: ['updateUser'],
    faults: {
      'users.update-not-saved': 'the change is answered and not kept',
      'users.update-clears-name': 'the name is lost when it is not given',
      'users.role-keeps-sessions': 'a new role leaves sessions',
      'users.password-keeps-sessions': 'a new password leaves sessions',
      'users.update-leaks': 'anybody changes a user',
      'users.last-owner-demoted': 'the last owner becomes a viewer',
    },
  },
  {
    rule: 'Deletes a user for good, ends the sessions, and answers the user; the last owner stays.',
    operations: ['deleteUser'],
    faults: {
      'users.delete-is-204': 'deleting is 204',
      'users.delete-not-done': 'a deleted user can still be read',
      'users.delete-keeps-sessions': 'a deleted user’s sessions live on',
      'users.delete-leaks': 'anybody deletes a user',
      'users.last-owner-deleted': 'the last owner can be deleted',
    },
  },
] as const satisfies readonly Rule[];
