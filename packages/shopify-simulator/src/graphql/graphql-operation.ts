import {
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from "graphql";
import type { SimulatorResponse } from "../http-server.ts";
import { requestedCost, type Throttle } from "./query-cost.ts";

/** Resolvers by root field. A field without a resolver gives an error that names the simulator, and never null. */
export type RootResolvers = Readonly<Record<string, (args: never) => unknown>>;

export type GraphqlRequest = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };

/** An operation that is valid in Shopify's schema. */
export type Operation = {
  readonly document: DocumentNode;
  readonly fields: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly cost: number;
};

/** Returns null if the body is not a GraphQL request. */
export function readGraphqlRequest(bytes: Uint8Array): GraphqlRequest | null {
  try {
    const { query, variables } = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return typeof query === "string" ? { query, variables: variables ?? {} } : null;
  } catch {
    return null;
  }
}

/** Returns a response with errors for an operation that is not valid in Shopify's schema. */
export function readOperation(
  schema: GraphQLSchema,
  { query, variables }: GraphqlRequest,
): Operation | SimulatorResponse {
  try {
    const document = parse(query);
    const problems = validate(schema, document);
    if (problems.length > 0) return { status: 200, body: { errors: problems.map((problem) => problem.toJSON()) } };
    return { document, variables, fields: rootFields(document), cost: requestedCost(schema, document) };
  } catch (error) {
    if (error instanceof GraphQLError) return { status: 200, body: { errors: [error.toJSON()] } };
    throw error;
  }
}

/** Executes an operation. The response contains its cost. */
export async function executeOperation(
  schema: GraphQLSchema,
  operation: Operation,
  resolvers: RootResolvers,
  throttle: Throttle,
): Promise<SimulatorResponse> {
  const { document, variables, cost } = operation;
  if (!throttle.take(cost)) return throttledResponse(operation, throttle);
  const result = await execute({ schema, document, rootValue: resolvers, variableValues: variables, fieldResolver });
  const body = JSON.parse(JSON.stringify(result));
  const points = { requestedQueryCost: cost, actualQueryCost: cost, throttleStatus: throttle.status() };
  return { status: 200, body: { ...body, extensions: { cost: points } } };
}

export function throttledResponse({ cost }: Operation, throttle: Throttle): SimulatorResponse {
  const points = { requestedQueryCost: cost, actualQueryCost: null, throttleStatus: throttle.status() };
  return {
    status: 200,
    body: {
      errors: [{ message: "Throttled", extensions: { code: "THROTTLED", documentation: LIMITS_PAGE } }],
      extensions: { cost: points },
    },
  };
}

export function errorResponse(message: string, code: string): SimulatorResponse {
  return { status: 200, body: { errors: [{ message, extensions: { code } }] } };
}

const LIMITS_PAGE = "https://shopify.dev/api/usage/rate-limits";

const fieldResolver: GraphQLFieldResolver<unknown, unknown> = (source, args, _context, info) => {
  const value = (source as Readonly<Record<string, unknown>>)[info.fieldName];
  if (value === undefined) throw new GraphQLError(`The simulator has no ${info.parentType.name}.${info.fieldName}.`);
  return typeof value === "function" ? value(args) : value;
};

function rootFields(document: DocumentNode): readonly string[] {
  const operations = document.definitions.filter(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  return operations.flatMap(({ selectionSet }) =>
    selectionSet.selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : [])),
  );
}
