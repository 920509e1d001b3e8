import type { Check } from '../../suite/check.ts';
import { life } from './life.ts';
import { roles } from './roles.ts';
import { sessions } from './sessions.ts';

/** Users of an organisation and their roles (extensions). */
export const users: readonly Check[] = [...life, ...sessions, ...roles];
