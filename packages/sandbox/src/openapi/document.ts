import { type Endpoint, endpoints, type OperationId } from "@tillkit/client/endpoints";
import { amountSchema, webUrlSchema } from "@tillkit/client/schemas";
import { type CreateDocumentOptions, createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
import { components } from "./components.ts";
import { operationObject, tagOf } from "./operation.ts";
import { resources } from "./summaries.ts";

/** The published contract as OpenAPI 3.1: the public rows of the endpoint table, without `/v1`. */
export function openApiDocument(baseUrl: string) {
  const rows = (Object.entries(endpoints) as [OperationId, Endpoint][]).filter(([, endpoint]) => endpoint.isDocumented);
  const paths: ZodOpenApiPathsObject = {};
  for (const [id, endpoint] of rows) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationObject(id, endpoint) };
  }
  const tags = [...new Set(rows.map(([, endpoint]) => tagOf(endpoint)))];
  return createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Merchant payments API",
        version: "1.2.0",
        description: "Fields are added without a new version: readers ignore what they do not know.",
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: baseUrl, description: "This sandbox, for test and live keys" }],
      tags: tags.map((name) => ({ name, description: resources[name] ?? name })),
      security: [{ ApiKey: [] }, { ServiceApiKey: [] }, { Bearer: [] }],
      paths,
      components,
    },
    { override: refineJsonSchema },
  );
}

type Override = NonNullable<CreateDocumentOptions["override"]>;

/** Adds JSON Schema keywords for checks that zod runs as functions, and removes keywords without information. */
const refineJsonSchema: Override = ({ jsonSchema, zodSchema, io }) => {
  if (zodSchema === amountSchema) Object.assign(jsonSchema, { type: "integer", minimum: 1 });
  if (zodSchema === webUrlSchema) jsonSchema.format = "uri";
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  delete jsonSchema.propertyNames;
  if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};
