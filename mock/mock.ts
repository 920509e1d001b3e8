import { Contract } from '../server/contract/contract.ts';
import type { ContractDocument } from '../server/contract/document.ts';
import { closeWebServer, listen } from '../server/http/listen.ts';
import { createListener } from '../server/http/listener.ts';
import { createLogger } from '../server/operations/logger.ts';
import { Answers } from './answers.ts';
import { createMockApp } from './app.ts';
import { readBundle } from './document.ts';
import { withPreferFaults } from './prefer-faults.ts';
import { createPrism } from './prism.ts';

/** Where and how the mock answers. */
export interface MockOptions {
  /** 0 for any free port; 4010 by default. */
  port?: number;
  /** The address to listen on; 127.0.0.1 by default. */
  host?: string;
  /** Values made from the schemas instead of the examples, unless a request says otherwise. */
  dynamic?: boolean;
}

/** A mock that runs. */
export interface RunningMock {
  /** `http://127.0.0.1:4010` */
  url: string;
  close(): Promise<void>;
}

const DEFAULT_PORT = 4010;
const DEFAULT_HOST = '127.0.0.1';
const CLOSING_MS = 1_000;
const NAME = { what: 'the mock', portSetting: '--port', hostSetting: '--host' };

/**
 * Starts the mock: every operation of the contract, answered from its examples. It keeps nothing between two requests.
 * @throws StartupError when the port cannot be opened.
 */
export async function startMock(options: MockOptions = {}): Promise<RunningMock> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, dynamic = false } = options;
  const bundle = readBundle();
  const document: ContractDocument = JSON.parse(bundle);
  const contract = new Contract(withPreferFaults(document));
  const answers = new Answers({ document, contract, prism: await createPrism(bundle), dynamic });
  const server = createListener(createMockApp({ contract, answers, logger: createLogger('error') }));
  const opened = await listen(server, { host, port }, NAME);
  return { url: urlOf(host, opened), close: () => closeWebServer(server, CLOSING_MS) };
}

/** The address to call; a listener on all addresses is called on the loopback one. */
function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
