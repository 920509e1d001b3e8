import type { Server } from 'node:http';
import { StartupError } from '../errors.ts';
import { codeOf } from '../files.ts';

/** What a listener is, in messages to the operator. */
export interface ListenerName {
  /** For instance `the API`. */
  what: string;
  /** The setting that moves its port. */
  portSetting: string;
  /** The setting that moves its address, if there is one. */
  hostSetting?: string;
}

const SWEEP_MS = 100;

/**
 * Opens a port (0: any free one) and returns the one in use.
 * @throws StartupError that names the listener and the setting to change.
 */
export function listen(
  server: Server,
  { host, port }: { host: string | undefined; port: number },
  name: ListenerName,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(explainListenFailure(error, { host, port }, name));
    server.once('error', failed);
    server.listen(host === undefined ? { port } : { port, host }, () => {
      server.removeListener('error', failed);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Why a port could not be opened, and which setting to change. */
export function explainListenFailure(
  error: Error,
  { host, port }: { host: string | undefined; port: number },
  { what, portSetting, hostSetting }: ListenerName,
): StartupError {
  const options = { cause: error };
  const otherPort = `set ${portSetting} to another port (0 for any free one)`;
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new StartupError(
        `Port ${port} for ${what} is in use by another program.`,
        `Stop that program, or ${otherPort}.`,
        options,
      );
    case 'EACCES':
      return new StartupError(
        `This user may not open port ${port} for ${what}.`,
        `Grant the right to it, or ${otherPort}.`,
        options,
      );
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new StartupError(
        `${host} is not an address of this machine that ${what} could listen on.`,
        hostSetting === undefined
          ? 'Check the network of this machine.'
          : `Set ${hostSetting} to one that is.`,
        options,
      );
    default:
      return new StartupError(
        `Port ${port} for ${what} cannot be opened: ${error.message}.`,
        `Try to ${otherPort}.`,
        options,
      );
  }
}

/** Stops accepting, lets the requests under way finish within the bound, then breaks off the rest. */
export async function closeWebServer(server: Server, boundMs: number): Promise<void> {
  if (!server.listening) return;
  const force = setTimeout(() => server.closeAllConnections(), boundMs);
  // Between two requests of a client no event tells that its connection became idle.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(force);
  clearInterval(sweep);
}
