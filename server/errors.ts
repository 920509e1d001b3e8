/**
 * The service cannot start: what is wrong, and what the operator can do about it.
 * The process prints both in one line and exits with 1.
 */
export class StartupError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
    this.hint = hint;
  }
}
