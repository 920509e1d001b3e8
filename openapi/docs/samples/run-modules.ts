import './own-package.ts';

// A process that runs samples in TypeScript, one after the other: told which file and with which variables, it imports the
// file and tells what the service has answered to its last request.
const realFetch = globalThis.fetch;
let last: { status: number; body: unknown } | undefined;

globalThis.fetch = async (...given) => {
  const response = await realFetch(...given);
  const text = await response.clone().text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  last = { status: response.status, body: isJson ? JSON.parse(text) : text };
  return response;
};

process.on('message', async (message) => {
  const { file, environment } = message as { file: string; environment: Record<string, string> };
  Object.assign(process.env, environment);
  last = undefined;
  try {
    await import(file);
    process.send?.({ outcome: last });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) });
  }
});
