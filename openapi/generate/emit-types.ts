import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { OpenApiDocument } from './document.ts';

/**
 * The document as TypeScript types (`paths`, `webhooks`, `components`, `operations`), every component also
 * under its own name: `Account`, `ParameterLimit`, `ResponseUnauthorized`.
 *
 * A property with a default stays optional: the types describe what travels, not what the server makes of it.
 */
export async function emitTypes(document: OpenApiDocument): Promise<string> {
  const nodes = await openapiTypescript(structuredClone(document) as unknown as OpenAPI3, {
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return astToString(nodes);
}
