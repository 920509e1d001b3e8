import { bundle } from './bundle.ts';
import { emitClient, emitClientTypes } from './emit-client.ts';
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
  const sources: [string, string][] = [
    ['openapi.json', JSON.stringify({ 'x-generated': notice, ...document })],
    ['types.ts', `// ${notice}\n${await emitTypes(document)}`],
    ['operations.ts', `// ${notice}\n${emitOperations(document)}`],
    ['client-types.ts', `// ${notice}\n${await emitClientTypes(document)}`],
    ['client.ts', `// ${notice}\n${await emitClient()}`],
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
| \`client.ts\`, \`client-types.ts\` | the fetch client |

\`\`\`ts
const client = createClient({ baseUrl, credentials: { email, password }, apiKey: { accountId, apiKey } });

const { status, data } = await client.sendEmail({ body: [message] });
for await (const message of client.listMessages.all({ query: { 'events[]': ['hard_bounce'] } })) console.log(message.subject);

try {
  await client.createDomain({ body: { name: 'demo.test', accounts: [accountId] } });
} catch (error) {
  if (isErrorOf('createDomain', error) && error.status === 409) console.log(error.code);
  else throw error;
}
\`\`\`

Change \`openapi/\` and run \`npm run generate\`. \`npm test\` fails while these files are stale.
`;
