import { parseUrl } from "@tillkit/client";
import { type Endpoint, endpoints, type OperationId } from "@tillkit/client/endpoints";
import ResponseValidator from "openapi-response-validator";
import type { Sandbox } from "../src/index.ts";
import { type ApiOptions, type ApiResponse, api, type Json } from "./open-sandbox.ts";

/** The package is a CommonJS module: depending on the loader, its import is the class or an object with the class. */
export const Validator = "default" in ResponseValidator ? (ResponseValidator as Json).default : ResponseValidator;

type Call = ApiOptions & { params?: Record<string, string>; query?: string };

export type Contract = {
  document: Json;
  /** Sends a request and throws when the status, headers or body of its response violate the document. */
  call(id: OperationId, call?: Call): Promise<ApiResponse>;
  /** The operations that have succeeded. */
  succeeded: ReadonlySet<string>;
};

/** The OpenAPI document that a sandbox publishes, and requests whose responses are checked against it. */
export async function openContract(sandbox: Sandbox): Promise<Contract> {
  const document = (await api(sandbox, "GET /openapi.json", { key: null })).json;
  const succeeded = new Set<string>();
  const validators = new Map<string, Json>();
  return {
    document,
    succeeded,
    async call(id, { params = {}, query = "", ...options } = {}) {
      const { method, path, successStatus }: Endpoint = endpoints[id];
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
      const answer = await api(sandbox, `${method} ${address}${query}`, options);
      const documented = document.paths[path][method.toLowerCase()].responses[answer.status];
      if (documented === undefined)
        throw new Error(`${id} answered ${answer.status}, which the contract does not know.`);
      const response = resolveReference(document, documented);
      assertHeaders(document, response, answer, id);
      const validator = validators.get(`${id} ${answer.status}`) ?? validatorOf(document, answer.status, response);
      validators.set(`${id} ${answer.status}`, validator);
      const problem = validator.validateResponse(answer.status, answer.json ?? undefined);
      if (problem !== undefined) {
        throw new Error(`${id} ${answer.status}: ${JSON.stringify(problem.errors)} in ${answer.text}`);
      }
      if (answer.status === successStatus) succeeded.add(id);
      return answer;
    },
  };
}

function validatorOf(document: Json, status: number, response: Json) {
  // The validator changes the object that it gets, so it gets a copy.
  const copy = structuredClone({
    responses: { [status]: response },
    components: { schemas: document.components.schemas },
  });
  forbidExtraFields(copy);
  return new Validator({ ...copy, customFormats });
}

/** The document allows extra fields, which clients ignore. The sandbox itself must not send a field that the document lacks. */
function forbidExtraFields(schema: Json): void {
  if (typeof schema !== "object" || schema === null) return;
  if (schema.type === "object" && schema.properties) schema.additionalProperties ??= false;
  for (const value of Object.values(schema)) forbidExtraFields(value);
}

/** What a reference such as `#/components/headers/Allow` points to, or the object itself when it has no reference. */
function resolveReference(document: Json, object: Json): Json {
  if (object.$ref === undefined) return object;
  let target = document;
  for (const name of object.$ref.slice("#/".length).split("/")) target = target[name];
  return target;
}

function assertHeaders(document: Json, response: Json, answer: ApiResponse, id: string): void {
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    if (resolveReference(document, header).required && !answer.headers.has(name)) {
      throw new Error(`${id} ${answer.status} lacks the header ${name}.`);
    }
  }
}

const matches = (pattern: RegExp) => (text: string) => pattern.test(text);
export const customFormats = {
  uuid: matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  "date-time": matches(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  uri: (text: string) => parseUrl(text) !== null,
};
