import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { components } from '../../generated/types.ts';
import { type Answer, eventually, startApi, type TestApi, type TestTenant } from '../testing.ts';
import { type Receiver, startReceiver } from '../webhooks/testing.ts';

// For tests of what a webhook is sent: the API, and a receiver that answers as it is told.

type Delivery = components['schemas']['WebhookDelivery'];
type Webhook = components['schemas']['Webhook'];
export type Query = Record<string, string | number | string[]>;

/** An account with one webhook, which `renew` makes anew before each test. Whoever starts it closes it. */
export class WebhookOnTrial {
  readonly api: TestApi;
  /** The owner's session is a new one after `pass`. */
  tenant: TestTenant;
  webhookId = '';
  /** Of each test its own. */
  url = '';
  readonly #receiver: Receiver;
  readonly #answer: { status: number };

  private constructor(api: TestApi, tenant: TestTenant, receiver: Receiver, answer: { status: number }) {
    this.api = api;
    this.tenant = tenant;
    this.#receiver = receiver;
    this.#answer = answer;
  }

  static async start(): Promise<WebhookOnTrial> {
    const answer = { status: 200 };
    const receiver = await startReceiver((_request, response) => response.writeHead(answer.status).end());
    const api = await startApi();
    return new WebhookOnTrial(api, await api.createTenant(), receiver, answer);
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.#receiver.close();
  }

  /** Forgets the webhook of the test before, and creates one that listens to everything. */
  async renew(): Promise<void> {
    this.answer(200);
    this.url = `${this.#receiver.url}/${randomUUID()}`;
    const { account_id } = this.tenant.account;
    // What the mails of the test before have to tell is told.
    await eventually(async () => Object.values(await this.api.queue.depth()).every((count) => count === 0));
    const { data: former } = await this.tenant.client.listWebhooks({ path: { account_id } });
    for (const { webhook_id } of former)
      await this.tenant.client.deleteWebhook({ path: { account_id, webhook_id } });
    await this.create();
  }

  /** Creates a webhook, which is from now on the one on trial. */
  async create(): Promise<void> {
    const { account_id } = this.tenant.account;
    const { data } = await this.tenant.client.createWebhook({
      path: { account_id },
      body: { url: this.url },
    });
    this.webhookId = data.webhook_id;
  }

  /** What the receiver answers from now on. */
  answer(status: number): void {
    this.#answer.status = status;
  }

  /** The ids of what the receiver got in this test. */
  received(): string[] {
    return this.#receiver.received
      .filter(({ path }) => this.url.endsWith(path))
      .map(({ headers }) => String(headers['webhook-id']));
  }

  path(): { account_id: string; webhook_id: string } {
    return { account_id: this.tenant.account.account_id, webhook_id: this.webhookId };
  }

  async update(body: { status?: Webhook['status']; events?: Webhook['events'] }): Promise<void> {
    await this.tenant.client.updateWebhook({ path: this.path(), body });
  }

  /** Has a test event sent. */
  async test(event: Delivery['event']): Promise<Delivery> {
    return (await this.tenant.client.testWebhook({ path: this.path(), body: { event } })).data;
  }

  post(what: 'replay' | 'test', body: object): Promise<Answer> {
    return this.tenant.call('POST', this.#at(what), { body });
  }

  listed(query: Query = {}): Promise<Answer> {
    return this.tenant.call('GET', this.#at('deliveries'), { query });
  }

  async log(query: Query = {}): Promise<Delivery[]> {
    return (await this.listed(query)).data as Delivery[];
  }

  /** Waits until so many are in that state, and gives them. */
  all(status: Delivery['status'], count: number): Promise<Delivery[]> {
    return eventually(async () => {
      const found = await this.log({ 'statuses[]': [status] });
      return found.length === count ? found : undefined;
    });
  }

  /** Moves the service's time, and signs in again: sessions end with it. */
  async pass(seconds: number): Promise<void> {
    await this.api.advance(seconds);
    const owner = await this.api.signIn(this.tenant.owner, this.tenant.account);
    this.tenant = { ...this.tenant, owner, client: owner.client, call: owner.call };
  }

  /** Something that happens to new messages. */
  async complain(count = 1): Promise<string[]> {
    const ids: string[] = [];
    for (let sent = 0; sent < count; sent++) {
      const from = { email: `hello@${this.tenant.domain.name}` };
      const to = [{ email: `${randomUUID()}@example.com` }];
      const { data } = await this.tenant.client.sendEmail({
        body: [{ from, to, subject: 'Hi', body: { text: 'Hi' } }],
      });
      ids.push(data[0]?.message_id ?? '');
    }
    const receivedAt = this.api.clock.now();
    await this.api.store.delivery.recordEvents(
      ids.map((messageId) => ({ eventId: randomUUIDv7(), messageId, receivedAt, type: 'spam_complaint' })),
    );
    return ids;
  }

  #at(rest: string): string {
    const { account_id, webhook_id } = this.path();
    return `/v1/accounts/${account_id}/webhooks/${webhook_id}/${rest}`;
  }
}
