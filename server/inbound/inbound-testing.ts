import { expect } from 'vitest';
import { startApi, type TestApi, type TestTenant } from '../testing.ts';
import { SmtpClient } from './testing.ts';

// For tests of what comes back, through the front door: a message is sent over HTTP, its mail is taken from the sandbox, and what
// comes back goes over SMTP.

/** A delivered message, and the addresses that its mail carries. */
export interface Sent {
  id: string;
  to: string;
  returnPath: string;
  unsubscribe: string;
}

export interface Event {
  type: string;
  details: { smtp_response?: string; smtp_log_id?: string; list_id?: string };
}

/** The API with an organisation that sends. Whoever starts it closes `api`. */
export class Correspondence {
  readonly api: TestApi;
  #tenant: TestTenant;
  #sent = 0;

  private constructor(api: TestApi, tenant: TestTenant) {
    this.api = api;
    this.#tenant = tenant;
  }

  static async start(): Promise<Correspondence> {
    const api = await startApi();
    return new Correspondence(api, await api.createTenant());
  }

  /** Moves the service's time, and signs in again, since sessions end with it. */
  async advance(seconds: number): Promise<void> {
    await this.api.advance(seconds);
    const owner = await this.api.signIn(this.#tenant.owner, this.#tenant.account);
    this.#tenant = { ...this.#tenant, owner, call: owner.call, client: owner.client };
  }

  /** Sends a message to a reader of its own and waits until it is delivered. */
  async send(change: Record<string, unknown> = {}): Promise<Sent> {
    this.#sent += 1;
    const to = `reader-${this.#sent}@customer.test`;
    const id = await this.accept({ to: [{ email: to }], list_id: 'news.demo.test', ...change });
    await expect.poll(() => this.typesOf(id), { interval: 20 }).toEqual(['delivery', 'new']);
    const [mail] = await this.api.store.sandbox.captured({ to, limit: 1 });
    const raw = Buffer.from(mail?.raw ?? [])
      .toString()
      .replace(/\r\n[ \t]/g, ' ');
    const [, unsubscribe = ''] = /^List-Unsubscribe:.*<mailto:([^>]+)>/im.exec(raw) ?? [];
    return { id, to, returnPath: mail?.from ?? '', unsubscribe };
  }

  /** Sends a message, and gives its id as soon as it is accepted. */
  async accept(message: Record<string, unknown>): Promise<string> {
    const usual = { from: { email: 'hello@demo.test' }, subject: 'News', body: { text: 'x' } };
    const { data } = await this.#tenant.call('POST', '/v1/send_email', {
      basic: this.#tenant.account,
      body: [{ ...usual, ...message }],
    });
    const [{ message_id: id }] = data as [{ message_id: string }];
    return id;
  }

  async messageOf(id: string): Promise<unknown> {
    return (await this.#tenant.call('GET', `/v1/messages/${id}`)).data;
  }

  /** Newest first. */
  async eventsOf(id: string): Promise<Event[]> {
    const { data } = await this.#tenant.call('GET', `/v1/messages/${id}/events`);
    return data as Event[];
  }

  async typesOf(id: string): Promise<string[]> {
    return (await this.eventsOf(id)).map(({ type }) => type);
  }

  async suppressionsOf(address: string): Promise<unknown> {
    const path = `/v1/suppressions?recipient_email=${encodeURIComponent(address)}`;
    return (await this.#tenant.call('GET', path)).data;
  }

  async count(counter: string): Promise<number> {
    const path = '/v1/stats?period_from=2020-01-01&period_to=2099-12-31';
    const { data } = await this.#tenant.call('GET', path);
    return (data as { stats_summary: Record<string, number> }).stats_summary[counter] ?? 0;
  }

  /** Sends a mail over SMTP, by default with the null sender, and gives the reply that decides. */
  async post(to: string | string[], mail: string, from = ''): Promise<string> {
    const client = await SmtpClient.to(this.api.smtpPort);
    try {
      return await client.post([to].flat(), mail, from);
    } finally {
      client.socket.destroy();
    }
  }
}
