import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FAULTS, type FaultId, isFaultId } from './faults.ts';
import { type BrokenServerOptions, startBrokenServer } from './server.ts';
import { isVariantId, VARIANTS } from './variants.ts';

const HELP = `Usage: node conformance/broken/main.ts [options]

Options:
  --fault ID       a fault to plant; may be given more than once
  --variant ID     an allowed behaviour
  --target FILE    where to write the target
  --port N         the port of the API (default: a free one)
  --cert, --key, --ca FILE   serve HTTPS; the authority is named in the target
  --list           print all faults and variants`;

class UsageError extends Error {}

function readOptions(): { options: BrokenServerOptions; target: string | undefined; list: boolean } {
  const { values } = parseArgs({
    options: {
      fault: { type: 'string', multiple: true, default: [] },
      variant: { type: 'string' },
      target: { type: 'string' },
      port: { type: 'string', default: '0' },
      cert: { type: 'string' },
      key: { type: 'string' },
      ca: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  });
  const { variant, cert, key, ca, port } = values;
  if (variant !== undefined && !isVariantId(variant)) throw new UsageError(`there is no variant ${variant}`);
  const tls =
    cert === undefined || key === undefined
      ? {}
      : {
          tls: {
            cert: readFileSync(cert, 'utf8'),
            key: readFileSync(key, 'utf8'),
            ...(ca === undefined ? {} : { caFile: ca }),
          },
        };
  const variants = variant === undefined ? [] : [variant];
  const options = { faults: values.fault.map(toFault), variants, port: Number(port), ...tls };
  return { options, target: values.target, list: values.list };
}

function toFault(id: string): FaultId {
  if (!isFaultId(id)) throw new UsageError(`there is no fault ${id}; --list shows all`);
  return id;
}

function printAll(): void {
  const rows = [...Object.entries(FAULTS), ...Object.entries(VARIANTS)];
  for (const [id, { title }] of rows) console.log(`${id.padEnd(44)} ${title}`);
}

async function main(): Promise<void> {
  const { options, target: file, list } = readOptions();
  if (list) {
    printAll();
    return;
  }
  const { target, stop } = await startBrokenServer(options);
  const text = JSON.stringify(target, null, 2);
  if (file === undefined) console.log(text);
  else writeFileSync(file, `${text}\n`);
  console.log(`The server is at ${target.base_url}. Ctrl-C stops it.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
}

try {
  await main();
} catch (error) {
  const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  if (!isUsage) throw error;
  console.error(`${error.message}\n\n${HELP}`);
  process.exitCode = 2;
}
