import type { Check } from '../../suite/check.ts';
import { credentials } from './credentials.ts';
import { login } from './login.ts';
import { sessions } from './sessions.ts';

/** Who may call: credentials of every kind, logging in and out. */
export const authentication: readonly Check[] = [...credentials, ...login, ...sessions];
