import {
  cardChargeRequestSchema,
  checkoutSessionRequestSchema,
  instantSettlementRequestSchema,
  metadataSchema,
  payoutRequestSchema,
} from "@tillkit/client/schemas";
import { limits } from "../domain/limits.ts";

const required = (...fields: string[]) => ({ required: fields });
/** A body whose field has this value needs these fields too. */
const withValue = (field: string, value: string, needed: string) => ({
  properties: { [field]: { const: value } },
  required: [field, needed],
});

/**
 * Rules about several fields, which the client's schemas check in functions. As `anyOf` they let the clients that a generator makes refuse
 * such a call when it is compiled. That `application_fee_amount` is not above `amount` cannot be said in JSON Schema.
 */
export const conditions: ReadonlyMap<unknown, object> = new Map<unknown, object>([
  [
    checkoutSessionRequestSchema,
    {
      anyOf: [required("amount"), required("line_items"), required("product_id"), required("price_id")],
      if: {
        properties: {
          require_name: { const: false },
          require_email: { const: false },
          require_phone: { const: false },
        },
        required: ["require_name", "require_email"],
      },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { anyOf: [required("customer_name"), required("customer_id")] },
    },
  ],
  [
    cardChargeRequestSchema,
    {
      allOf: [
        { anyOf: [required("currency_code"), required("currency")] },
        { anyOf: [required("customer_id"), required("customer_email", "customer_name")] },
      ],
    },
  ],
  [
    payoutRequestSchema,
    {
      anyOf: [
        withValue("destination", "self", "payout_method_id"),
        withValue("destination", "beneficiary", "recipient"),
      ],
    },
  ],
  [
    instantSettlementRequestSchema,
    {
      anyOf: [
        withValue("mode", "rail", "payout_id"),
        { properties: { mode: { const: "advance" } }, required: ["mode"] },
      ],
    },
  ],
  [
    metadataSchema,
    {
      maxProperties: limits.metadataKeys,
      propertyNames: { type: "string", maxLength: limits.metadataKeyLength },
      additionalProperties: {
        anyOf: [
          { type: "string", maxLength: limits.metadataTextLength },
          { type: ["number", "boolean", "object", "array", "null"] },
        ],
      },
    },
  ],
]);
