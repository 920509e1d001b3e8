import type { AuthenticationStore } from '../store/store.ts';
import { created, ok } from './replies.ts';
import type { HandlersOf } from './tags.ts';

/** Brings the token of a password reset to its user; it does not wait for the mail to leave. */
export type SendPasswordReset = (reset: { email: string; name: string; token: string }) => void;

/** The operations of the tag Authentication. */
export function authenticationHandlers({
  authentication,
  sendPasswordReset,
}: {
  authentication: AuthenticationStore;
  sendPasswordReset: SendPasswordReset;
}): HandlersOf<'Authentication'> {
  return {
    login: async ({ body }) => ({ status: 200, body: await authentication.login(body.email, body.password) }),

    refreshToken: async ({ body }) => ({
      status: 200,
      body: await authentication.refresh(body.refresh_token),
    }),

    logout: async ({ caller }) => {
      await authentication.logout(caller.sessionId);
      return ok('OK');
    },

    register: async ({ body }) => {
      const { user, organisation } = await authentication.register(body);
      return created({ user, organisation });
    },

    // The answer is the same for an address that nobody has, so that it tells nothing about who is a user.
    requestPasswordReset: async ({ body }) => {
      const reset = await authentication.requestPasswordReset(body.email);
      if (reset !== undefined) sendPasswordReset(reset);
      return ok('OK');
    },

    confirmPasswordReset: async ({ body }) => {
      await authentication.confirmPasswordReset(body.token, body.password);
      return ok('OK');
    },
  };
}
