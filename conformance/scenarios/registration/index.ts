import type { Check } from '../../suite/check.ts';
import { passwordReset } from './password-reset.ts';
import { refresh } from './refresh.ts';
import { register } from './register.ts';

/** Registering, getting a new password, and new tokens for old (extensions). */
export const registration: readonly Check[] = [...register, ...passwordReset, ...refresh];
