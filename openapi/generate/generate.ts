import { bundle } from './bundle.ts';
import { emitClient } from './emit-client.ts';
import { emitOperations } from './emit-operations.ts';
import { emitTypes } from './emit-types.ts';
import { format } from './format.ts';

const notice = 'Do not edit: made from openapi/ by "npm run generate".';

/**
 * Everything that is made from the document, by file name.
 *
 * The same document always gives the same bytes: no times, no versions, no machine's paths.
 */
export async function generate(rootFile: string): Promise<Map<string, string>> {
  const document = await bundle(rootFile);
  const client = await emitClient(document);
  const sources: [string, string][] = [
    ['openapi.json', JSON.stringify({ 'x-generated': notice, ...document })],
    ['types.ts', `// ${notice}\n${await emitTypes(document)}`],
    ['operations.ts', `// ${notice}\n${emitOperations(document)}`],
    ...client.map(([name, text]): [string, string] => [name, `// ${notice}\n${text}`]),
    ['README.md', readme],
  ];
  const formatted = await Promise.all(
    sources.map(
      async ([name, text]): Promise<[string, string]> => [
        name,
        name.endsWith('.md') ? text : await format(name, text),
      ],
    ),
  );
  return new Map(formatted);
}

const readme = `<!-- ${notice} -->
# Generated from the contract

| file | holds |
|---|---|
| \`openapi.json\` | the document in one file |
| \`types.ts\` | its types |
| \`operations.ts\` | every operation's method, path, security and statuses, and types that narrow by them |
| \`client.ts\` | the fetch client, for Node and browsers; the files named \`client-...\` are its parts |

\`\`\`ts
const client = createClient({ baseUrl, credentials: { email, password }, apiKey: { accountId, apiKey } });

const { status, data } = await client.sendEmail({ body: [message] });
for await (const message of client.listMessages.all({ query: { 'events[]': ['hard_bounce'] } })) console.log(message.subject);
for await (const row of client.exportMessages.rows()) console.log(row.recipient_email, row.smtp_response);

try {
  await client.createDomain({ body: { name: 'demo.test', accounts: [accountId] } });
} catch (error) {
  if (isErrorOf('createDomain', error) && error.status === 409) console.log(error.code);
  else throw error;
}
\`\`\`

It renews its token once for all calls that wait, and tries again where that does no harm: after a 429 for as long as \`Retry-After\` says, after
a fault of the network or a 5xx for what only reads, and for \`sendEmail\` when every message has a \`custom_id\` and \`custom_id_unique\`. \`retries\`
and \`maxRetryDelayMs\` set how often and how long; a \`signal\` ends any call, also one that waits.

Change \`openapi/\` and run \`npm run generate\`. \`npm test\` fails while these files are stale.
`;
