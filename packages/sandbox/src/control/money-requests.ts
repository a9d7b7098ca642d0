import { amountSchema, currencyCodeSchema, environmentSchema, metadataSchema } from "@tillkit/client/schemas";
import { z } from "zod";
import { limits } from "../domain/limits.ts";
import { updateSources } from "../subscriptions/subscription-updates.ts";

const id = z.guid({ error: "must be a UUID" });
const date = z.iso.date({ error: "must be a date like 2026-03-01" });
const text = z.string({ error: "must be a text" }).min(1).max(255);
const time = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 time" })
  .transform((moment) => Date.parse(moment));
const oneOf = <Name extends string>(...names: readonly Name[]) =>
  z.enum(names, { error: `must be one of ${names.join(", ")}` });

const customerId = z.union([id, z.string().regex(/^cus_\w+$/)], { error: "must be a UUID or an id like cus_…" });
const interval = oneOf("day", "week", "month", "year");
const source = oneOf(...updateSources).default("merchant_api");

/** The texts that the merchant submits in a dispute, by name. */
const evidence = z
  .record(z.string().min(1).max(64), z.string({ error: "must be a text" }).max(limits.evidenceLength), {
    error: "must be an object of texts",
  })
  .refine((texts) => Object.keys(texts).length <= limits.metadataKeys, {
    error: `must have at most ${limits.metadataKeys} texts`,
  });

/** Request bodies for subscriptions, disputes and the confirmation of cards. The service's API has events for them, but no endpoints. */
export const moneyRequestSchemas = {
  /** Every field is optional. Without a customer, a test shopper of the first merchant subscribes. */
  newSubscription: z.strictObject({
    customer_id: customerId.optional(),
    organization_id: id.optional(),
    environment: environmentSchema.default("test"),
    product_id: id.optional(),
    price_id: id.optional(),
    status: oneOf("pending", "active", "trial").default("active"),
    plan_name: text.default("Pro Monthly"),
    billing_interval: interval.default("month"),
    amount: amountSchema.default(5000),
    currency_code: currencyCodeSchema.default("XOF"),
    start_date: date.optional(),
    /** The subscription expires on this day. */
    end_date: date.optional(),
    next_billing_date: date.optional(),
    metadata: metadataSchema.default({}),
  }),
  /** `source` is who requests the change, for the context of SUBSCRIPTION_UPDATED. */
  sourceOnly: z.strictObject({ source }),
  planChange: z.strictObject({
    price_id: id.optional(),
    amount: amountSchema.optional(),
    plan_name: text.optional(),
    billing_interval: interval.optional(),
    source,
  }),
  cancellation: z.strictObject({
    at_period_end: z.boolean({ error: "must be true or false" }).default(false),
    source,
  }),
  renewal: z.strictObject({ outcome: oneOf("completed", "failed").default("completed") }),
  newDispute: z.strictObject({
    transaction_id: text,
    /** Null: the dispute names no amount, or no currency. */
    amount: amountSchema.nullable().optional(),
    currency_code: currencyCodeSchema.nullable().optional(),
    reason: text.optional(),
    evidence_due_by: time.optional(),
  }),
  disputeUpdate: z.strictObject({
    status: oneOf("pending", "resolved").optional(),
    reason: text.optional(),
    evidence_due_by: time.optional(),
    evidence: evidence.optional(),
  }),
  /** Null: the dispute ends without an outcome. */
  disputeClosure: z.strictObject({ outcome: oneOf("won", "lost").nullable() }),
  cardConfirmation: z.strictObject({
    number: z.string({ error: "must be a card number as text" }),
    publishable_key: z.string({ error: "must be a text" }).optional(),
    client_secret: z.string({ error: "must be a text" }).optional(),
  }),
};

export type MoneyRequest<Name extends keyof typeof moneyRequestSchemas> = z.input<(typeof moneyRequestSchemas)[Name]>;
