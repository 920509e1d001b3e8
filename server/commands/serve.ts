import { loadConfig } from '../config.ts';
import { ROLES, SETTINGS, type Setting } from '../settings.ts';
import { type Command, UsageError } from './command.ts';

/** Runs the service until it is told to stop. */
export const serve: Command = {
  help: [
    {
      usage: 'serve [--role ROLE]',
      does: 'run the service: api (API, web listener), worker (delivery, inbound mail) or all of it',
    },
  ],
  details,
  async run(args, env) {
    const role = roleOf(args);
    const config = loadConfig(role === undefined ? env : { ...env, [SETTINGS.role.name]: role });
    // Loaded only now: help and faulty settings are answered at once.
    const { serve: run } = await import('../serve.ts');
    return await run(config);
  },
};

/** The role that the command line names, if any: `--role worker` or `--role=worker`. */
function roleOf(args: readonly string[]): string | undefined {
  const [option, ...rest] = args.flatMap((arg) => (/^--role=/.test(arg) ? ['--role', arg.slice(7)] : [arg]));
  if (option === undefined) return undefined;
  if (option !== '--role') throw new UsageError(`serve has no option ${JSON.stringify(option)}`);
  const [role, further] = rest;
  if (role === undefined || !ROLES.some((known) => known === role)) {
    throw new UsageError(`--role is one of ${ROLES.join(', ')}`);
  }
  if (further !== undefined) throw new UsageError(`serve has no option ${JSON.stringify(further)}`);
  return role;
}

/** The settings as a table for people, from the same data that they are read with. */
function details(): string {
  const settings = Object.values<Setting<unknown>>(SETTINGS);
  const rows = settings.map(
    (setting) => `  ${setting.name}\n      ${setting.description}\n      Default: ${setting.default}.`,
  );
  return `Several processes of each role share one PostgreSQL (DATABASE_URL). On one machine each needs a SENDSPEC_OPS_PORT
of its own, and each worker a SENDSPEC_SMTP_PORT.

It is set up by environment variables:

${rows.join('\n')}`;
}
