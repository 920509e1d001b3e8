// Compiled, never run, by the test of the package: what somebody who installed it writes, with every check of the compiler on.
import { createClient, isErrorOf, SendspecError } from 'sendspec';
import { type Client, createClient as sameClient } from 'sendspec/client';
import { ConformanceError, type Report, runConformance, summarise, writeReports } from 'sendspec/conformance';
import { type RunningMock, startMock } from 'sendspec/mock';
import contract from 'sendspec/openapi.json' with { type: 'json' };
import { ConfigError, type RunningService, StartupError, startService } from 'sendspec/server';
import type { components, operations } from 'sendspec/types';
import { verifyWebhook, WebhookVerificationError } from 'sendspec/webhooks';

type Message = components['schemas']['Message'];
type Accepted = operations['sendEmail']['responses'][200]['content']['application/json'];

export async function subjects(client: Client): Promise<string[]> {
  const found: string[] = [];
  for await (const message of client.listMessages.all({ query: { 'events[]': ['hard_bounce'] } })) {
    const { subject }: Message = message;
    found.push(subject);
  }
  return found;
}

export async function createDomain(client: Client, accountId: string): Promise<string> {
  try {
    const { data } = await client.createDomain({ body: { name: 'demo.test', accounts: [accountId] } });
    return data.domain_id;
  } catch (error) {
    if (isErrorOf('createDomain', error) && error.status === 409) return error.code;
    if (error instanceof SendspecError) return String(error.status);
    throw error;
  }
}

export async function wrong(client: Client): Promise<void> {
  // @ts-expect-error a message has no field of this name
  const field: keyof Message = 'subjekt';
  // @ts-expect-error sending needs a body
  await client.sendEmail({});
  console.log(field);
}

export async function judged(service: RunningService): Promise<Report | string> {
  try {
    const report = await runConformance({ target: 'data/target.json', only: ['http/tls'] });
    await writeReports(report, 'reports');
    console.log(service.apiUrl, summarise(report));
    return report;
  } catch (error) {
    if (error instanceof ConformanceError) return error.message;
    throw error;
  } finally {
    await service.stop();
  }
}

export const clients: Client[] = [createClient, sameClient].map((create) =>
  create({ baseUrl: 'https://localhost:8443', apiKey: { accountId: 'a', apiKey: 'k' } }),
);
export const first: Accepted['data'][number]['status'] = 'accepted';
export const titles: string[] = [contract.info.title];
export const doors = [startService, verifyWebhook, ConfigError, StartupError, WebhookVerificationError];
export const mock: Promise<RunningMock> = startMock({ port: 0 });
