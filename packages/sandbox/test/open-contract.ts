import { type Endpoint, endpoints, type OperationId } from "@tillkit/client/endpoints";
import ResponseValidator from "openapi-response-validator";
import type { Sandbox } from "../src/index.ts";
import { type ApiOptions, type ApiResponse, api, type Json } from "./open-sandbox.ts";

const Validator = "default" in ResponseValidator ? (ResponseValidator as Json).default : ResponseValidator;

type Call = ApiOptions & { params?: Record<string, string>; query?: string };

export type Contract = {
  document: Json;
  /** Sends a request and holds status, headers and body of its answer against the document. */
  call(id: OperationId, call?: Call): Promise<ApiResponse>;
  /** The operations that have succeeded. */
  succeeded: ReadonlySet<string>;
};

/** The contract of a sandbox as it publishes it, and requests that are held against it. */
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
      const described = document.paths[path][method.toLowerCase()].responses[answer.status];
      if (described === undefined)
        throw new Error(`${id} answered ${answer.status}, which the contract does not know.`);
      const response = resolved(document, described);
      missing(document, response, answer, id);
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
  // The validator fills defaults in and rewrites what it is given.
  const copy = structuredClone({
    responses: { [status]: response },
    components: { schemas: document.components.schemas },
  });
  closeObjects(copy);
  return new Validator({ ...copy, customFormats });
}

/** Readers ignore what they do not know, but we know everything that we answer. */
function closeObjects(at: Json): void {
  if (typeof at !== "object" || at === null) return;
  if (at.type === "object" && at.properties) at.additionalProperties ??= false;
  for (const value of Object.values(at)) closeObjects(value);
}

function resolved(document: Json, { $ref, ...rest }: Json): Json {
  if ($ref === undefined) return rest;
  return $ref
    .slice(2)
    .split("/")
    .reduce((at: Json, name: string) => at[name], document);
}

function missing(document: Json, response: Json, answer: ApiResponse, id: string): void {
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    if (resolved(document, header).required && !answer.headers.has(name)) {
      throw new Error(`${id} ${answer.status} lacks the header ${name}.`);
    }
  }
}

const matches = (pattern: RegExp) => (text: string) => pattern.test(text);
export const customFormats = {
  uuid: matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  "date-time": matches(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  uri: (text: string) => URL.canParse(text),
};
