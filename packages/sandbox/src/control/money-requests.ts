import { amountSchema, currencyCodeSchema, environmentSchema, metadataSchema } from "@tillkit/client/schemas";
import { z } from "zod";

const id = z.guid({ error: "must be a UUID" });
const date = z.iso.date({ error: "must be a date like 2026-03-01" });
const text = z.string({ error: "must be a text" }).min(1).max(255);
const time = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 time" })
  .transform((moment) => Date.parse(moment));
const oneOf = <Name extends string>(...names: readonly Name[]) =>
  z.enum(names, { error: `must be one of ${names.join(", ")}` });

/** Request bodies for subscriptions and disputes. The service's API has events for them, but no endpoints. */
export const moneyRequestSchemas = {
  /** Every field is optional. Without a customer, a test shopper of the first merchant subscribes. */
  newSubscription: z.strictObject({
    customer_id: id.optional(),
    organization_id: id.optional(),
    environment: environmentSchema.default("test"),
    product_id: id.optional(),
    price_id: id.optional(),
    status: oneOf("pending", "active", "trial").default("active"),
    plan_name: text.default("Pro Monthly"),
    billing_interval: oneOf("day", "week", "month", "year").default("month"),
    amount: amountSchema.default(5000),
    currency_code: currencyCodeSchema.default("XOF"),
    start_date: date.optional(),
    next_billing_date: date.optional(),
    metadata: metadataSchema.default({}),
  }),
  cancellation: z.strictObject({ at_period_end: z.boolean({ error: "must be true or false" }).default(false) }),
  renewal: z.strictObject({ outcome: oneOf("completed", "failed").default("completed") }),
  newDispute: z.strictObject({
    transaction_id: text,
    amount: amountSchema.optional(),
    reason: text.optional(),
    evidence_due_by: time.optional(),
  }),
  disputeUpdate: z.strictObject({
    status: oneOf("pending", "resolved").optional(),
    reason: text.optional(),
    evidence_due_by: time.optional(),
  }),
  disputeClosure: z.strictObject({ outcome: oneOf("won", "lost") }),
};

export type MoneyRequest<Name extends keyof typeof moneyRequestSchemas> = z.input<(typeof moneyRequestSchemas)[Name]>;
