import { type Endpoint, endpoints, type OperationId } from "@tillkit/client/endpoints";
import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
import { apiVersion } from "../http/api-version.ts";
import { components } from "./components.ts";
import { operationObject, tagOf } from "./operation.ts";
import { refineJsonSchema } from "./refine-schema.ts";
import { resources } from "./summaries.ts";
import { webhooks } from "./webhooks.ts";

/** The published contract as OpenAPI 3.1: the public rows of the endpoint table, without `/v1`, and the events. */
export function openApiDocument(baseUrl: string): ReturnType<typeof createDocument> {
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
        version: apiVersion,
        description: "Fields are added without a new version: readers ignore what they do not know.",
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: baseUrl, description: "This sandbox, for test and live keys" }],
      tags: tags.map((name) => ({ name, description: resources[name] ?? name })),
      security: [{ ApiKey: [] }, { ServiceApiKey: [] }, { Bearer: [] }],
      paths,
      webhooks,
      components,
    },
    { override: refineJsonSchema },
  );
}
