import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench, BenchContext } from '../context.ts';
import { type LoadRequest, requestsPerSecond } from '../http/load.ts';
import type { Arm } from '../http/parts.ts';
import type { ServeGreeting, ServeOptions } from '../http/serve.ts';
import { submittedMessage } from '../messages.ts';
import { createDatabase, POSTGRES_URL } from '../postgres.ts';
import { startHelper } from '../processes.ts';
import { type BenchResult, type Details, type Figure, ratioFigure, shown, unmeasured } from '../report.ts';
import { seed } from '../seed.ts';
import { alternate, median } from '../statistics.ts';
import { type BenchTenant, basicOf, prepareTenant } from '../tenant.ts';

type Backing = 'the store' | 'an empty handler';
type Ports = Record<Arm, number>;

const GOALS: Record<Backing, number> = { 'the store': 0.75, 'an empty handler': 0.5 };
const CONNECTIONS = 20;
const MESSAGES = 10_000;

/** The first figure: what checking both ways costs. */
export const validation: Bench = {
  name: 'validation',
  async run(context) {
    const folder = await context.folder();
    const bodyFile = join(folder, 'mail.json');
    const results: BenchResult[] = [];
    if (context.postgres === undefined) {
      const reason = `no PostgreSQL at ${POSTGRES_URL}`;
      results.push({ figures: [unmeasured(nameOf('the store'), '>= 0.75', reason)], details: [] });
    } else {
      const databaseUrl = await createDatabase(context, context.postgres);
      const tenant = await prepareTenant(databaseUrl, folder);
      await seed(databaseUrl, tenant, MESSAGES, context.progress);
      results.push(await compare(context, 'the store', databaseUrl, tenant, bodyFile));
    }
    results.push(await compare(context, 'an empty handler', undefined, undefined, bodyFile));
    return {
      figures: results.flatMap(({ figures }) => figures),
      details: results.flatMap(({ details }) => details),
    };
  },
};

async function compare(
  context: BenchContext,
  backing: Backing,
  databaseUrl: string | undefined,
  tenant: BenchTenant | undefined,
  bodyFile: string,
): Promise<BenchResult> {
  await writeFile(bodyFile, JSON.stringify([submittedMessage('hello@demo.test', 1)]));
  const ports: Ports = {
    sendspec: await serve(context, 'sendspec', databaseUrl),
    express: await serve(context, 'express', databaseUrl),
    validator: await serve(context, 'validator', databaseUrl),
  };
  const bearer = `Bearer ${tenant?.token}`;
  const basic = tenant === undefined ? 'Basic eDp5' : basicOf(tenant);
  const cases = [
    await measure(context, `GET a page of 30 messages, ${backing}`, ports, (port) => ({
      method: 'GET',
      url: `http://127.0.0.1:${port}/v1/messages?limit=30&offset=0`,
      headers: { authorization: bearer },
    })),
    await measure(context, `POST one mail of 3 kB, ${backing}`, ports, (port) => ({
      method: 'POST',
      url: `http://127.0.0.1:${port}/v1/send_email`,
      headers: { authorization: basic, 'content-type': 'application/json' },
      bodyFile,
    })),
  ];
  return summary(backing, cases);
}

async function serve(context: BenchContext, arm: Arm, databaseUrl: string | undefined): Promise<number> {
  const options: ServeOptions = { arm, databaseUrl };
  const { greeting } = await startHelper<ServeGreeting>(context, 'bench/http/serve.ts', options);
  return greeting.port;
}

interface Case {
  name: string;
  rates: Record<Arm, number>;
}

async function measure(
  context: BenchContext,
  name: string,
  ports: Ports,
  requestTo: (port: number) => LoadRequest,
): Promise<Case> {
  context.progress(`validation: ${name}`);
  const seconds = context.isQuick ? 1 : 4;
  const load = (arm: Arm) => () =>
    requestsPerSecond(requestTo(ports[arm]), { connections: CONNECTIONS, seconds });
  const contestants = { sendspec: load('sendspec'), express: load('express'), validator: load('validator') };
  await alternate(1, contestants); // Nobody is measured cold.
  const rates = await alternate(context.isQuick ? 1 : 5, contestants);
  return {
    name,
    rates: {
      sendspec: median(rates.sendspec),
      express: median(rates.express),
      validator: median(rates.validator),
    },
  };
}

function summary(backing: Backing, cases: readonly Case[]): BenchResult {
  const figures: Figure[] = cases.map(({ name, rates }) =>
    ratioFigure(
      `validated both ways against bare Express: ${name}`,
      rates.sendspec / rates.express,
      GOALS[backing],
    ),
  );
  const rows = cases.map(({ name, rates: { sendspec, express, validator } }) => [
    name,
    shown(express),
    `${shown(sendspec)} (${(sendspec / express).toFixed(2)})`,
    `${shown(validator)} (${(validator / express).toFixed(2)})`,
  ]);
  const details: Details = {
    title: `Requests per second behind ${backing} (share of bare Express)`,
    columns: ['request', 'bare Express', 'this service', 'express-openapi-validator on the same document'],
    rows,
  };
  return { figures, details: [details] };
}

function nameOf(backing: Backing): string {
  return `validated both ways against bare Express, ${backing}`;
}
