import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installed, installPackage, ROOT } from './installed.ts';

// What people get: the tarball of `npm pack`, installed outside of the repository, each of its doors opened once.
let installed: Installed;

beforeAll(async () => {
  installed = await installPackage();
}, 600_000);
afterAll(() => installed?.remove());

const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);

const COMMAND = 'node_modules/.bin/sendspec';
const ONE_CHECK = 'suppressions/same-address-twice';
const NOTIFIED = `
  import { createServer } from 'node:http';
  import { buffer } from 'node:stream/consumers';
  import { sendExampleWebhook } from 'sendspec/mock';
  import { verifyWebhook } from 'sendspec/webhooks';

  const secret = 'whsec_' + Buffer.alloc(24, 7).toString('base64');
  let event;
  const receiver = createServer(async (request, response) => {
    event = verifyWebhook(request.headers, await buffer(request), secret).event;
    response.writeHead(204).end();
  });
  await new Promise((ready) => receiver.listen(0, '127.0.0.1', ready));
  const url = 'http://127.0.0.1:' + receiver.address().port + '/hook';
  const { status } = await sendExampleWebhook('message.open', { url, secret });
  receiver.close();
  console.log(JSON.stringify({ status, event }));`;

/** Runs a module that stands in the folder, as ESM; what it prints is JSON. */
async function evaluate(source: string): Promise<unknown> {
  await writeFile(join(installed.folder, 'use.js'), source);
  const { code, out, err } = await installed.run(process.execPath, 'use.js');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

test('holds what runs, and nothing that only development needs', () => {
  const foreign = installed.files.filter(
    (path) => !/^(dist\/package\/|README\.md$|LICENSE$|package\.json$)/.test(path),
  );
  expect(foreign).toEqual([]);
  expect(
    installed.files.filter((path) => /\.test\.|testing|fixtures|bench|broken|crash|\.map$/.test(path)),
  ).toEqual([]);
  expect(installed.files).toContain('dist/package/server/bin.js');
});

test('publint and attw find nothing', async () => {
  expect(await installed.run(bin('publint'), '--strict', installed.tarball)).toMatchObject({ code: 0 });
  const attw = await installed.run(
    bin('attw'),
    installed.tarball,
    '--profile',
    'esm-only',
    '--format',
    'ascii',
  );
  expect(attw).toMatchObject({ code: 0 });
});

test.each(['NodeNext', 'Preserve'])('a TypeScript consumer compiles with module %s', async (module) => {
  expect(await installed.run(bin('tsc'), '--project', '.', '--module', module)).toMatchObject({
    code: 0,
    out: '',
  });
});

test('every export can be imported', async () => {
  const { exports } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const doors = Object.keys(exports).map((path) => path.replace(/^\./, 'sendspec'));
  const modules = doors.filter((door) => !door.endsWith('.json'));
  const lines = modules.map(
    (door) => `found[${JSON.stringify(door)}] = Object.keys(await import(${JSON.stringify(door)}));`,
  );
  const found = await evaluate(`
    import contract from 'sendspec/openapi.json' with { type: 'json' };
    const found = { contract: contract.openapi };
    ${lines.join('\n')}
    console.log(JSON.stringify(found));`);
  expect(found).toMatchObject({
    contract: '3.1.0',
    sendspec: expect.arrayContaining(['createClient', 'isErrorOf', 'SendspecError']),
    'sendspec/client': expect.arrayContaining(['createClient']),
    'sendspec/types': [],
    'sendspec/webhooks': expect.arrayContaining(['verifyWebhook']),
    'sendspec/mock': expect.arrayContaining(['startMock', 'sendExampleWebhook']),
    'sendspec/server': expect.arrayContaining(['startService']),
    'sendspec/conformance': expect.arrayContaining(['runConformance', 'writeReports']),
  });
  expect(modules.filter((door) => !(door in Object(found)))).toEqual([]);
});

test('a service, a client and the suite work together in one program', async () => {
  const result = await evaluate(`
    import { createClient } from 'sendspec/client';
    import { runConformance } from 'sendspec/conformance';
    import { startService } from 'sendspec/server';

    const free = { PORT: '0', SENDSPEC_OPS_PORT: '0', SENDSPEC_SMTP_PORT: '0', SENDSPEC_WEB_PORT: '0' };
    const service = await startService({
      ...free, SENDSPEC_INSECURE_HTTP: '1', SENDSPEC_LOG_LEVEL: 'error', SENDSPEC_RATE_LIMIT: '0', SENDSPEC_DATA_DIR: 'inside',
    });
    const [{ from_email, email, password, accounts: [{ account_id: accountId, api_key: apiKey }] }] = service.tenants;
    const client = createClient({
      baseUrl: service.apiUrl, credentials: { email, password }, apiKey: { accountId, apiKey },
    });
    const { data: [sent] } = await client.sendEmail({
      body: [{ from: { email: from_email }, to: [{ email: 'ada@customer.test' }], subject: 'Packed', body: { text: 'It works.' } }],
    });
    const { data: message } = await client.getMessage({ path: { message_id: sent.message_id } });
    const report = await runConformance({ target: 'inside/target.json', only: ['${ONE_CHECK}'] });
    await service.stop();
    console.log(JSON.stringify({ status: sent.status, subject: message.subject, verdict: report.verdict }));`);
  expect(result).toEqual({ status: 'accepted', subject: 'Packed', verdict: 'conformant' });
});

test('sendspec --help lists every command, and --version is that of the package', async () => {
  const help = await installed.run('npx', 'sendspec', '--help');
  expect(help).toMatchObject({ code: 0 });
  for (const name of ['serve', 'queue', 'conformance', 'mock', 'dns', 'dkim'])
    expect(help.out).toContain(`\n  ${name}`);
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(await installed.run('npx', 'sendspec', '--version')).toMatchObject({ code: 0, out: `${version}\n` });
});

test('sendspec serve sends the first mail as it says, and the suite judges it', async () => {
  const service = await installed.start('Ctrl-C stops it.', COMMAND, 'serve');
  try {
    const [send = '', look = ''] = ['Send a first mail', 'See it arrive'].map(
      (heading) => service.out().split(`${heading}:\n\n`)[1]?.split('\n\n')[0],
    );
    expect((await installed.run('bash', '-euc', send)).out).toContain('"accepted"');
    const arrived = async () => (await installed.run('bash', '-euc', look)).out;
    await expect.poll(arrived).toContain('It works.');

    const options = ['--target', 'data/target.json', '--only', ONE_CHECK, '--report', 'reports'];
    const judged = await installed.run('npx', 'sendspec', 'conformance', ...options);
    expect(judged.code, judged.out + judged.err).toBe(0);
    expect(await readFile(join(installed.folder, 'reports/report.html'), 'utf8')).toContain('</html>');
  } finally {
    expect(await service.stop()).toBe(0);
  }
});

test('the web listener of the installed service has the docs', async () => {
  const service = await installed.start('Ctrl-C stops it.', COMMAND, 'serve');
  try {
    const [url = ''] = /https?:\/\/\S+\/docs\b\S*/.exec(service.out()) ?? [];
    const page = await installed.run('curl', '--silent', '--location', '--cacert', 'data/tls/ca.pem', url);
    expect(page.out).toContain('<title>');
  } finally {
    await service.stop();
  }
});

test('sendspec mock answers, and posts a notification that its receiver can verify', async () => {
  const mock = await installed.start('Ctrl-C ends it.', COMMAND, 'mock', '--port', '0');
  try {
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(mock.out()) ?? [];
    const answer = await installed.run(
      'curl',
      '--silent',
      `${url}/v1/messages`,
      '-H',
      'Authorization: Bearer any',
    );
    expect(JSON.parse(answer.out).data.length).toBeGreaterThan(0);
  } finally {
    expect(await mock.stop()).toBe(0);
  }
  expect(await evaluate(NOTIFIED)).toEqual({ status: 204, event: 'message.open' });
});

test('installing tells nobody: what Prism brings to count installations is switched off', async () => {
  const modules = join(installed.folder, 'node_modules');
  const report = join(modules, '@scarf/scarf/report.js');
  // As it is while npm installs: npm writes this file after the scripts have run, and with it does not look for the setting.
  await rm(join(modules, '.package-lock.json'));
  const settings = ['SCARF_VERBOSE=true', 'SCARF_LOCAL_PORT=9', `INIT_CWD=${installed.folder}`];
  const { out, err } = await installed.run('env', ...settings, process.execPath, report);
  expect(out + err).toContain('Scarf has been disabled via a package.json in the dependency chain.');
});

test('an older Node is told what is needed, in one line', async () => {
  await installed.run('npm', 'install', '--no-save', '--no-audit', '--no-fund', '--prefix', 'old', 'node@20');
  const old = join(installed.folder, 'old/node_modules/node/bin/node');
  const { code, out, err } = await installed.run(
    old,
    'node_modules/sendspec/dist/package/server/bin.js',
    'serve',
  );
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^sendspec: needs Node 24\.7 or newer, and this is v20\.[^\n]*\n$/);
});
