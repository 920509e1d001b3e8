import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

/** A request to a service under test. */
export interface ClientRequest {
  method?: 'GET' | 'POST';
  authorization?: string;
  body?: unknown;
}

/** Speaks to one server over one connection that is kept open. */
export class Client {
  readonly #baseUrl: string;
  readonly #agent: HttpAgent | HttpsAgent;

  /** `ca` is the certificate authority of an HTTPS server. */
  constructor(baseUrl: string, ca?: string) {
    this.#baseUrl = baseUrl;
    const options = { keepAlive: true, maxSockets: 1 };
    this.#agent = ca === undefined ? new HttpAgent(options) : new HttpsAgent({ ...options, ca });
  }

  /** The answer as JSON. Throws when it is not a success. */
  async json(path: string, request: ClientRequest = {}): Promise<unknown> {
    return JSON.parse(await text(await this.stream(path, request)));
  }

  /** The answer as it arrives. Throws when it is not a success. */
  async stream(path: string, request: ClientRequest = {}): Promise<IncomingMessage> {
    const response = await this.#send(path, request);
    const { statusCode = 0 } = response;
    if (statusCode < 200 || statusCode > 299) {
      throw new Error(`${path} was answered with ${statusCode}: ${await text(response)}`);
    }
    return response;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(path: string, { method = 'GET', authorization, body }: ClientRequest): Promise<IncomingMessage> {
    const url = `${this.#baseUrl}${path}`;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(payload === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
    };
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      send(url, { method, headers, agent: this.#agent }, resolve).on('error', reject).end(payload);
    });
  }
}
