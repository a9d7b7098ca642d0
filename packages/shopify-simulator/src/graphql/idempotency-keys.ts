import { type DirectiveNode, type DocumentNode, Kind, visit } from "graphql";
import type { SimulatorResponse } from "../http-server.ts";
import { errorResponse, type Operation } from "./graphql-operation.ts";
import type { ShopifyVersion } from "./schemas.ts";

/** The version since which a mutation requires `@idempotent(key:)`. Shopify's schema does not show this. */
const REQUIRED_SINCE: Readonly<Record<string, ShopifyVersion>> = { refundCreate: "2026-04" };

/** Remembers a response for each idempotency key. A repeated request gets this response; another request under the key is refused. */
export type IdempotencyKeys = {
  respond(
    operation: Operation,
    version: ShopifyVersion,
    run: () => Promise<SimulatorResponse>,
  ): Promise<SimulatorResponse>;
};

export function createIdempotencyKeys(): IdempotencyKeys {
  const responses = new Map<string, { readonly request: string; readonly answer: Promise<SimulatorResponse> }>();
  return {
    async respond(operation, version, run) {
      const { document, fields, variables } = operation;
      const requiredSince = fields
        .map((field) => REQUIRED_SINCE[field])
        .find((since) => since !== undefined && since <= version);
      const key = idempotencyKeyOf(document, variables);
      if (key === null) return requiredSince === undefined ? await run() : MISSING;
      const request = JSON.stringify([fields, variables]);
      const earlier = responses.get(key);
      if (earlier && earlier.request !== request) return MISMATCH;
      const answer = earlier?.answer ?? run();
      responses.set(key, { request, answer });
      return await answer;
    },
  };
}

const MISSING = errorResponse(
  "The @idempotent directive is required for this mutation but was not provided.",
  "BAD_REQUEST",
);
const MISMATCH = errorResponse(
  "The same idempotency key can't be used with different operation parameters.",
  "IDEMPOTENCY_KEY_PARAMETER_MISMATCH",
);

function idempotencyKeyOf(document: DocumentNode, variables: Readonly<Record<string, unknown>>): string | null {
  const directives: DirectiveNode[] = [];
  visit(document, {
    Directive(directive) {
      if (directive.name.value === "idempotent") directives.push(directive);
    },
  });
  const value = directives[0]?.arguments?.find(({ name }) => name.value === "key")?.value;
  if (value?.kind === Kind.STRING) return value.value;
  if (value?.kind !== Kind.VARIABLE) return null;
  const key = variables[value.name.value];
  return typeof key === "string" ? key : null;
}
