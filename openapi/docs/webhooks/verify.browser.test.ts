import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { forgeries, newSecret, notification, type SentNotification } from './notifications.ts';

// Python and PHP are more than `npm test` asks for. The functions that the guide shows are called as they stand, with what
// came over standard input; each program prints the payload, or "refused" for the error that the guide promises.
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const LANGUAGES = {
  Python: [
    'python3',
    '-B',
    '-c',
    `import json, sys
sys.path.insert(0, ${JSON.stringify(FOLDER)})
from verify import verify_webhook
given = json.load(sys.stdin)
try:
    print(json.dumps(verify_webhook(given["headers"], given["body"].encode(), given["secrets"])))
except ValueError:
    print('"refused"')`,
  ],
  PHP: [
    'php',
    '-r',
    `require ${JSON.stringify(`${FOLDER}verify.php`)};
$given = json_decode(stream_get_contents(STDIN), true);
try {
    echo json_encode(verify_webhook($given['headers'], $given['body'], $given['secrets']));
} catch (UnexpectedValueException) {
    echo '"refused"';
}`,
  ],
} as const;

async function verify(
  [command, ...args]: (typeof LANGUAGES)[keyof typeof LANGUAGES],
  { headers, body }: SentNotification,
  secrets: readonly string[],
): Promise<unknown> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ headers, body, secrets }));
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(code).toBe(0);
  return JSON.parse(printed);
}

test.each(Object.entries(LANGUAGES))('%s takes what the service sends', async (_name, program) => {
  const [current, former] = [newSecret(), newSecret()];
  const sent = await notification('message.click', [former, current]);
  const payload: unknown = JSON.parse(sent.body);
  expect(await verify(program, sent, [current])).toEqual(payload);
  expect(await verify(program, sent, [former, newSecret()])).toEqual(payload);
});

test.each(Object.entries(LANGUAGES))('%s refuses what somebody else sends', async (_name, program) => {
  const secret = newSecret();
  for (const [what, sent] of Object.entries(await forgeries(secret))) {
    expect([what, await verify(program, sent, [secret])]).toEqual([what, 'refused']);
  }
});
