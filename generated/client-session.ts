// Do not edit: made from openapi/ by "npm run generate".
import { SendspecError } from './client-error.ts';
import type { Send } from './client-request.ts';
import { successOf } from './client-result.ts';
import type { ClientOptions, Tokens } from './client-types.ts';

export interface Session {
  readonly tokens: Tokens | undefined;
  readonly renewable: boolean;
  /** Takes them at once, and is done when `onTokens` is. */
  set(tokens: Tokens | undefined): Promise<void>;
  /**
   * A token other than `refused`: the one that another call got meanwhile, or a new one. However many calls ask at the same
   * time, there is one renewal, and all share its outcome. No call's signal is part of it, as the others need it still.
   */
  renew(refused: string | undefined): Promise<string>;
}

/** Keeps the tokens, and renews them by the refresh token, else by logging in. */
export function createSession(options: ClientOptions, send: Send): Session {
  const { accessToken, credentials, onTokens } = options;
  let { refreshToken } = options;
  let tokens: Tokens | undefined = accessToken === undefined ? undefined : { accessToken, refreshToken };
  let renewal: Promise<string> | undefined;
  let failure: { refused: string | undefined; error: SendspecError } | undefined;

  const set = async (next: Tokens | undefined): Promise<void> => {
    tokens = next;
    refreshToken = next?.refreshToken;
    failure = undefined;
    await onTokens?.(next);
  };

  const refresh = async (refresh_token: string): Promise<Tokens> => {
    const body = { grant_type: 'refresh_token', refresh_token };
    return tokensOf(successOf('refreshToken', await send('refreshToken', { body }, undefined)).data);
  };

  const logIn = async (): Promise<Tokens> => {
    const body = { ...credentials, grant_type: 'password' };
    return tokensOf(successOf('login', await send('login', { body }, undefined)).data);
  };

  const obtain = async (): Promise<Tokens> => {
    if (refreshToken === undefined) return logIn();
    try {
      return await refresh(refreshToken);
    } catch (error) {
      // A refresh token is good for one use, so a request that was lost is not made again. The limit counts logging in, too.
      if (!credentials || (error instanceof SendspecError && error.status === 429)) throw error;
      return logIn();
    }
  };

  const start = async (refused: string | undefined): Promise<string> => {
    const before = tokens;
    try {
      const next = await obtain();
      // Whoever logged in or out meanwhile has the last word.
      if (tokens === before) await set(next);
      return next.accessToken;
    } catch (error) {
      // Refused for good: the calls that come late with the same token need not ask again.
      if (error instanceof SendspecError && error.status === 401) failure = { refused, error };
      throw error;
    } finally {
      renewal = undefined;
    }
  };

  return {
    get tokens() {
      return tokens;
    },
    get renewable() {
      return credentials !== undefined || refreshToken !== undefined;
    },
    set,
    async renew(refused) {
      if (tokens && tokens.accessToken !== refused) return tokens.accessToken;
      if (failure && failure.refused === refused) throw failure.error;
      renewal ??= start(refused);
      return renewal;
    },
  };
}

/** The tokens of a login or a refresh. */
export function tokensOf(data: unknown): Tokens {
  const token = data as { access_token: string; refresh_token: string };
  return { accessToken: token.access_token, refreshToken: token.refresh_token };
}
