import { expect, test } from 'vitest';
import { commandOf } from './cli.ts';

test.each([
  ['npm run conformance', { npm_lifecycle_event: 'conformance' }, 'npm run conformance --'],
  ['npx', { npm_lifecycle_event: 'npx' }, 'npx sendspec conformance'],
  ['the command itself', {}, 'sendspec conformance'],
  ['a script of somebody else’s', { npm_lifecycle_event: 'test:api' }, 'sendspec conformance'],
])('a replay of what was started by %s is started likewise', (_by, environment, command) => {
  expect(commandOf(environment)).toBe(command);
});
