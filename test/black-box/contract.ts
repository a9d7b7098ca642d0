import ResponseValidator from "openapi-response-validator";
import type { Answer } from "./answer.ts";
import type { Operation } from "./operations.ts";

/** A part of the document, or a reference to that part. */
type PartOrReference = { readonly $ref?: string };
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, PartOrReference> }>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, PartOrReference>>>>;
};
type Problem = { readonly errors: unknown };
type Validator = { validateResponse(status: number, body: unknown): Problem | undefined };

// A CommonJS module: under ESM its class may be wrapped in `default`.
const wrapped = ResponseValidator as unknown as { default?: new (options: object) => Validator };
const ValidatorClass = wrapped.default ?? (ResponseValidator as unknown as new (options: object) => Validator);

const documents = new Map<string, Promise<Document>>();
const validators = new Map<string, Validator>();

/**
 * Checks an answer of a published operation against the document that the service itself publishes (`/openapi.json`): the
 * answer's status must be described, and its body must be as described.
 */
export async function expectAsPublished(baseUrl: string, operation: Operation, answer: Answer): Promise<void> {
  const [method = "", path = ""] = operation.split(" ");
  const document = await documentOf(baseUrl);
  const responses = document.paths[path]?.[method.toLowerCase()]?.responses;
  if (responses === undefined) return;
  const described = responses[answer.status];
  if (described === undefined) {
    throw new Error(`${operation} answered ${answer.status}, which the published contract does not describe.`);
  }
  const key = `${operation} ${answer.status}`;
  const validator = validators.get(key) ?? validatorOf(document, answer.status, resolveReference(document, described));
  validators.set(key, validator);
  const problem = validator.validateResponse(answer.status, answer.body ?? undefined);
  if (problem) throw new Error(`${key} is not as published: ${JSON.stringify(problem.errors)} in ${answer.raw}`);
}

function documentOf(baseUrl: string): Promise<Document> {
  const known = documents.get(baseUrl);
  if (known) return known;
  const request = fetch(`${baseUrl}/openapi.json`).then((response) => response.json() as Promise<Document>);
  documents.set(baseUrl, request);
  return request;
}

function validatorOf(document: Document, status: number, response: PartOrReference): Validator {
  // The validator changes its argument, so it gets a copy.
  const { schemas } = document.components;
  return new ValidatorClass(structuredClone({ responses: { [status]: response }, components: { schemas } }));
}

/** Replaces a reference such as `#/components/responses/NotFound` by the part of the document that it names. */
function resolveReference(document: Document, part: PartOrReference): PartOrReference {
  if (part.$ref === undefined) return part;
  const [, , section = "", name = ""] = part.$ref.split("/");
  return document.components[section]?.[name] ?? part;
}
