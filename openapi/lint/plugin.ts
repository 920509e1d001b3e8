import type { Rule } from './redocly.ts';
import { arrayParameters } from './rules/array-parameters.ts';
import { bodyExamples } from './rules/body-examples.ts';
import { boundedScalars } from './rules/bounded-scalars.ts';
import { closedResponses } from './rules/closed-responses.ts';
import { coreOperations } from './rules/core-operations.ts';
import { creationLinks } from './rules/creation-links.ts';
import { errorResponses } from './rules/error-responses.ts';
import { fieldNames } from './rules/field-names.ts';
import { fileNames } from './rules/file-names.ts';
import { noNullable } from './rules/no-nullable.ts';
import { openRequests } from './rules/open-requests.ts';
import { operationNames } from './rules/operation-names.ts';
import { operationStatuses } from './rules/operation-statuses.ts';
import { responseHeaders } from './rules/response-headers.ts';
import { webhookRequests } from './rules/webhook-requests.ts';

/** Every rule by its name; in a configuration it is `sendspec/<name>`. */
export const rules = {
  'array-parameters': arrayParameters,
  'body-examples': bodyExamples,
  'bounded-scalars': boundedScalars,
  'closed-responses': closedResponses,
  'core-operations': coreOperations,
  'creation-links': creationLinks,
  'error-responses': errorResponses,
  'field-names': fieldNames,
  'file-names': fileNames,
  'no-nullable': noNullable,
  'open-requests': openRequests,
  'operation-names': operationNames,
  'operation-statuses': operationStatuses,
  'response-headers': responseHeaders,
  'webhook-requests': webhookRequests,
} satisfies Record<string, Rule<never>>;

/** The plugin that redocly.yaml names: the conventions of this contract as lint rules. */
export default function plugin(): { id: string; rules: { oas3: typeof rules } } {
  return { id: 'sendspec', rules: { oas3: rules } };
}
