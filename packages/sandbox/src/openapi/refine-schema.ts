import {
  amountSchema,
  deliveryLogQuerySchema,
  listQuerySchema,
  transactionSchema,
  webUrlSchema,
} from "@tillkit/client/schemas";
import type { CreateDocumentOptions } from "zod-openapi";
import { limits } from "../domain/limits.ts";
import { conditions } from "./conditions.ts";

type Refine = NonNullable<CreateDocumentOptions["override"]>;
type JsonSchema = Parameters<Refine>[0]["jsonSchema"];

/** Adds JSON Schema keywords for checks that zod runs as functions, and removes keywords without information. */
export const refineJsonSchema: Refine = ({ jsonSchema, zodSchema, io }) => {
  refineKnown(zodSchema, jsonSchema);
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // Every name of a JSON object is a text, which says nothing. A schema may come here again inside an optional one.
  if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') delete jsonSchema.propertyNames;
  Object.assign(jsonSchema, conditions.get(zodSchema));
  if (io === "output") addFormats(jsonSchema, zodSchema);
  if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

const limitSchema = listQuerySchema.shape.limit;
const flagSchema = deliveryLogQuerySchema.shape.success;

/** The schemas of the client that zod cannot describe in full. */
const refinements = new Map<unknown, (jsonSchema: JsonSchema) => void>([
  [amountSchema, (schema) => Object.assign(schema, { type: "integer", minimum: 1 })],
  [webUrlSchema, (schema) => Object.assign(schema, { format: "uri" })],
  ...bothForms(limitSchema, (schema) => Object.assign(schema, { maximum: limits.pageSizeMax })),
  // In a URL a boolean is the text `true` or `false`.
  ...bothForms(flagSchema, (schema) => {
    schema.type = "boolean";
    delete schema.enum;
  }),
]);

function refineKnown(zodSchema: unknown, jsonSchema: JsonSchema): void {
  refinements.get(zodSchema)?.(jsonSchema);
}

/** The same refinement for an optional schema and for the schema that it wraps, because either can reach {@link refineJsonSchema}. */
function bothForms(
  schema: { unwrap(): unknown },
  refine: (jsonSchema: JsonSchema) => void,
): [unknown, (jsonSchema: JsonSchema) => void][] {
  return [
    [schema, refine],
    [schema.unwrap(), refine],
  ];
}

/**
 * Response fields to which the OpenAPI document adds a format: UUIDs here, URIs below. The client's schemas accept any text in them,
 * so the format is missing until {@link addFormats} adds it.
 */
const uuidFields = [
  "checkout_session_id",
  "customer_id",
  "membership_id",
  "organization_id",
  "payment_request_id",
  "payout_id",
  "price_id",
  "product_id",
  "subscription_id",
  "transaction_id",
];
const uriFields = ["success_url", "cancel_url"];

/**
 * The client's schema for a text that may be null or absent. All such fields of the client share this one object, which the client
 * does not export. So it is taken from one of them, and comparing with it recognizes the others.
 */
const nullableText: unknown = transactionSchema.shape.description;

/** Several fields share one JSON Schema object, so a field with a format gets an object of its own. */
function addFormats({ properties = {} }: JsonSchema, zodSchema: unknown): void {
  const { shape } = zodSchema as { shape?: Record<string, unknown> };
  for (const [format, names] of [
    ["uuid", uuidFields],
    ["uri", uriFields],
  ] as const) {
    for (const name of names) {
      if (shape?.[name] === nullableText) properties[name] = { type: ["string", "null"], format };
      else if (isPlainText(properties[name])) properties[name] = { type: "string", format };
    }
  }
}

function isPlainText(field: JsonSchema | boolean | undefined): boolean {
  return typeof field === "object" && field.type === "string" && !("format" in field) && !("pattern" in field);
}
