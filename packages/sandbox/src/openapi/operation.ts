import type { Endpoint, OperationId } from "@tillkit/client/endpoints";
import { confirmationPreviewSchema, type OperationSchemas, operationSchemas } from "@tillkit/client/schemas";
import type { ZodOpenApiOperationObject, ZodOpenApiParameters, ZodOpenApiResponsesObject } from "zod-openapi";
import { apiVersion } from "../http/api-version.ts";
import { type ErrorStatus, errorDescriptions, responseHeaders } from "./components.ts";
import { summaries } from "./summaries.ts";

type ParameterObject = NonNullable<ZodOpenApiOperationObject["parameters"]>[number];
type Schema = Extract<ParameterObject, { schema?: unknown }>["schema"];

/** The OpenAPI operation of one row of the endpoint table. */
export function operationObject(id: OperationId, endpoint: Endpoint): ZodOpenApiOperationObject {
  const { body, query }: OperationSchemas = operationSchemas[id];
  const operation: ZodOpenApiOperationObject = {
    operationId: id,
    summary: summaries[id],
    tags: [tagOf(endpoint)],
    parameters: [...pathParameters(endpoint), ...headerParameters(endpoint)],
    responses: { ...successes(id, endpoint), ...errorResponsesOf(endpoint) },
  };
  if (query !== undefined) {
    operation.requestParams = { query: query as NonNullable<ZodOpenApiParameters["query"]> };
  }
  if (body !== undefined) {
    const required = endpoint.method === "POST";
    operation.requestBody = { required, content: { "application/json": { schema: body } } };
  }
  return operation;
}

/** The resource of an endpoint, from the name of its client method. */
export function tagOf({ clientMethod }: Endpoint): string {
  return clientMethod.split(".")[0] ?? clientMethod;
}

function successes(id: OperationId, endpoint: Endpoint): ZodOpenApiResponsesObject {
  const { response }: OperationSchemas = operationSchemas[id];
  // POST /charge/switch never succeeds.
  if (response === null && endpoint.response !== "none") return {};
  const replayHeaders = endpoint.idempotency === "none" ? [] : (["Idempotency-Cache-Hit"] as const);
  const headers = responseHeaders(...replayHeaders);
  if (response === null) return { [endpoint.successStatus]: { description: "Done", headers } };
  const done = { description: "Done", headers, content: { "application/json": { schema: response } } };
  if (!operationsWithPreview.includes(id)) return { [endpoint.successStatus]: done };
  const preview = { "application/json": { schema: confirmationPreviewSchema } };
  return {
    [endpoint.successStatus]: done,
    200: {
      description: "A preview: no money has moved. Send the same request again with the token",
      headers,
      content: preview,
    },
  };
}

/** Money movements that some deployments confirm in a second call. */
const operationsWithPreview: readonly OperationId[] = [
  "RefundsController_create",
  "PayoutsController_create",
  "SettlementsController_instant",
];

function errorResponsesOf({ method }: Endpoint): ZodOpenApiResponsesObject {
  const statuses = Object.keys(errorDescriptions).map(Number) as ErrorStatus[];
  const possibleStatuses = statuses.filter((status) => status !== 409 || method !== "GET");
  return Object.fromEntries(
    possibleStatuses.map((status) => [status, { $ref: `#/components/responses/Refusal${status}` as const }]),
  );
}

function pathParameters({ path }: Endpoint): ParameterObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    in: "path",
    name,
    required: true,
    schema: pathSchema(path, name),
  }));
}

/** Webhook endpoints and card charges have ids with a prefix, transactions have both forms; every other id is a UUID. */
function pathSchema(path: string, name: string): NonNullable<Schema> {
  if (name === "webhook_id" || (path.startsWith("/webhooks/") && name === "id")) {
    return { type: "string", pattern: "^wh_" };
  }
  if (path.startsWith("/charge/card/")) return { type: "string", pattern: "^pi_" };
  const uuid = { type: "string", format: "uuid" } as const;
  return path.startsWith("/transactions/") ? { anyOf: [uuid, { type: "string", pattern: "^txn_" }] } : uuid;
}

function headerParameters({ idempotency, capabilities, acceptsScenarioKey }: Endpoint): ParameterObject[] {
  const header = (name: string, description: string, schema: Schema = { type: "string" }): ParameterObject => ({
    in: "header",
    name,
    description,
    schema,
  });
  const headers: ParameterObject[] = [];
  if (idempotency !== "none") {
    const purpose = "Makes a repeated request safe: the same key and body get the first response again.";
    const printableAscii = { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]+$" } as const;
    headers.push({ ...header("Idempotency-Key", purpose, printableAscii), required: idempotency === "required" });
  }
  if (capabilities !== null) {
    const needs = `A Member Account; needs ${capabilities.join(" or ")}.`;
    headers.push(header("Service-Account", needs, { type: "string", pattern: "^acct_" }));
  }
  if (acceptsScenarioKey === true) {
    headers.push(header("X-Scenario-Key", "Test keys only.", { type: "string", enum: ["pending", "failed"] }));
  }
  headers.push(header("Service-Version", "Pins the version of the schema.", { type: "string", enum: [apiVersion] }));
  return headers;
}
