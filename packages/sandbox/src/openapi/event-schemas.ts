import { currencyCodeSchema, environmentSchema, TRANSACTION_STATUSES } from "@tillkit/client/schemas";
import type { EventName } from "@tillkit/client/webhooks";
import { z } from "zod";
import { type FailureCode, failureMessages } from "../domain/payment-methods.ts";
import { updateSources } from "../subscriptions/subscription-updates.ts";

const id = z.guid();
const time = z.iso.datetime();
const metadata = z.record(z.string(), z.unknown());
const amount = z.int();
const commonFields = { metadata, environment: environmentSchema, created_at: time, updated_at: time };
/** Only in events to an Operator: the Member Account for which the Operator acted. */
const network = z.object({ account: z.string().regex(/^acct_/), membership_id: id }).optional();

const transaction = z.object({
  transaction_id: id,
  public_id: z.string().regex(/^txn_/),
  organization_id: id,
  customer_id: id.nullable(),
  /** Some deployments name the session in `metadata` only. */
  checkout_session_id: id.nullable().optional(),
  transaction_type: z.string(),
  status: z.enum(TRANSACTION_STATUSES),
  description: z.string().nullable(),
  quantity: z.int(),
  gross_amount: amount,
  discount_amount: amount,
  fee_amount: amount,
  net_amount: amount,
  refunded_amount: amount,
  currency_code: currencyCodeSchema,
  provider_code: z.enum(["CARD", "WAVE", "MTN", "SPI"]),
  payment_method_code: z.enum(["CARDS", "MOBILE_MONEY", "BANK_TRANSFER", "FREE"]),
  product_id: id.nullable(),
  price_id: id.nullable(),
  subscription_id: id.nullable(),
  ...commonFields,
  metadata: metadata.nullable().optional(),
  network,
});

const failedTransaction = transaction.extend({
  failure_code: z.enum(Object.keys(failureMessages) as [FailureCode, ...FailureCode[]]),
  failure_message: z.string(),
});

const refund = z.object({
  refund_id: id,
  transaction_id: id,
  checkout_session_id: id.nullable().optional(),
  amount,
  refunded_amount: amount,
  fee_amount: amount,
  currency_code: currencyCodeSchema,
  reason: z.string().nullable(),
  status: z.enum(["pending", "completed", "failed"]),
  organization_id: id,
  ...commonFields,
  metadata: metadata.nullable().optional(),
  network,
});

const updatableFields = {
  subscription_id: id,
  status: z.enum(["pending", "active", "past_due", "cancelled", "trial", "paused", "expired"]),
  price_id: id,
  cancel_at_period_end: z.boolean(),
  next_billing_date: z.iso.date().nullable(),
  plan_name: z.string(),
  billing_interval: z.enum(["day", "week", "month", "year"]),
};

const subscription = z.object({
  ...updatableFields,
  organization_id: id,
  customer_id: id,
  product_id: id,
  start_date: z.iso.date(),
  end_date: z.iso.date().nullable(),
  ...commonFields,
});

const subscriptionUpdate = z.object({
  object: z.object(updatableFields),
  previous_attributes: z.object(updatableFields).partial(),
  context: z.object({ source: z.enum(updateSources), actor: z.string() }).optional(),
});

const dispute = z.object({
  dispute_id: id,
  transaction_id: id,
  customer_id: id.nullable(),
  organization_id: id,
  amount: amount.nullable(),
  currency_code: currencyCodeSchema.nullable(),
  reason: z.string(),
  status: z.enum(["pending", "resolved", "closed"]),
  outcome: z.enum(["won", "lost"]).nullable(),
  evidence_due_by: time,
  ...commonFields,
  metadata: metadata.nullable(),
  network,
});

const testPayload = z.object({
  object: z.object({
    id: z.string(),
    organization_id: id,
    test: z.literal(true),
    created: time,
    status: z.string(),
    amount,
    currency: currencyCodeSchema,
    description: z.string(),
    metadata,
  }),
});

/** The schema of `data` for each event. */
export const eventDataSchemas: Record<EventName, z.ZodType> = {
  PAYMENT_CREATED: transaction,
  PAYMENT_SUCCEEDED: transaction,
  PAYMENT_FAILED: failedTransaction,
  SUBSCRIPTION_CREATED: subscription,
  SUBSCRIPTION_UPDATED: subscriptionUpdate,
  SUBSCRIPTION_RENEWED: subscription,
  SUBSCRIPTION_CANCELLED: subscription,
  REFUND_CREATED: refund,
  REFUND_COMPLETED: refund,
  REFUND_FAILED: refund.extend({ failure_message: z.string() }),
  DISPUTE_CREATED: dispute,
  DISPUTE_UPDATED: dispute,
  DISPUTE_CLOSED: dispute,
  "test.webhook": testPayload,
};

/** The schemas of event data by their names in the components of the document. */
export const eventComponents = {
  EventTransaction: transaction,
  EventFailedTransaction: failedTransaction,
  EventRefund: refund,
  EventSubscription: subscription,
  EventSubscriptionUpdate: subscriptionUpdate,
  EventDispute: dispute,
  EventTestPayload: testPayload,
};
