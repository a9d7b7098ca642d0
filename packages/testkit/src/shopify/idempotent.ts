import { type DirectiveNode, type DocumentNode, Kind, visit } from "graphql";
import { errorAnswer, type Operation } from "./graphql-api.ts";
import type { Answer } from "./http-door.ts";
import type { ShopifyVersion } from "./schemas.ts";

/** Mutations that must carry `@idempotent(key:)`, though the schema does not say so. */
const REQUIRED_SINCE: Readonly<Record<string, ShopifyVersion>> = { refundCreate: "2026-04" };

/** Answers that were given under a key: the same request again has the same answer, another one is refused. */
export type IdempotentAnswers = {
  answer(operation: Operation, version: ShopifyVersion, run: () => Promise<Answer>): Promise<Answer>;
};

export function createIdempotentAnswers(): IdempotentAnswers {
  const given = new Map<string, { readonly request: string; readonly answer: Promise<Answer> }>();
  return {
    async answer(operation, version, run) {
      const { document, fields, variables } = operation;
      const since = fields
        .map((field) => REQUIRED_SINCE[field])
        .find((first) => first !== undefined && first <= version);
      const key = keyOf(document, variables);
      if (key === null) return since === undefined ? await run() : MISSING;
      const request = JSON.stringify([fields, variables]);
      const before = given.get(key);
      if (before && before.request !== request) return MISMATCH;
      const answer = before?.answer ?? run();
      given.set(key, { request, answer });
      return await answer;
    },
  };
}

const MISSING = errorAnswer(
  "The @idempotent directive is required for this mutation but was not provided.",
  "BAD_REQUEST",
);
const MISMATCH = errorAnswer(
  "The same idempotency key can't be used with different operation parameters.",
  "IDEMPOTENCY_KEY_PARAMETER_MISMATCH",
);

function keyOf(document: DocumentNode, variables: Readonly<Record<string, unknown>>): string | null {
  const found: DirectiveNode[] = [];
  visit(document, {
    Directive(directive) {
      if (directive.name.value === "idempotent") found.push(directive);
    },
  });
  const value = found[0]?.arguments?.find(({ name }) => name.value === "key")?.value;
  if (value?.kind === Kind.STRING) return value.value;
  if (value?.kind !== Kind.VARIABLE) return null;
  const given = variables[value.name.value];
  return typeof given === "string" ? given : null;
}
