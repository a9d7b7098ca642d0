import { z } from "zod";

/** Medusa returns each amount twice: as a number, and in `raw_amount` with all its decimals as text. */
const amountFields = { amount: z.unknown().optional(), raw_amount: z.unknown().optional() };

const captureSchema = z.object({
  ...amountFields,
  created_by: z.string().nullish(),
  created_at: z.union([z.string(), z.date()]).nullish(),
});

const sessionSchema = z.object({
  id: z.string(),
  provider_id: z.string(),
  amount: z.unknown(),
  raw_amount: z.unknown().optional(),
});

const refundSchema = z.object({
  ...amountFields,
  id: z.string(),
  note: z.string().nullish(),
  created_by: z.string().nullish(),
});

const paymentSchema = z.object({
  id: z.string(),
  provider_id: z.string(),
  captured_at: z.unknown().optional(),
  canceled_at: z.unknown().optional(),
  data: z.record(z.string(), z.unknown()).nullish(),
  captures: z.array(captureSchema).nullish(),
  refunds: z.array(refundSchema).nullish(),
});

/** A payment collection as `query.graph` returns it. */
export const collectionRowSchema = z.object({
  id: z.string(),
  currency_code: z.string(),
  amount: z.unknown(),
  raw_amount: z.unknown().optional(),
  status: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  payment_sessions: z.array(sessionSchema).nullish(),
  payments: z.array(paymentSchema).nullish(),
});

export type CollectionRow = z.output<typeof collectionRowSchema>;

export const COLLECTION_FIELDS: readonly string[] = [
  "id",
  "currency_code",
  "amount",
  "raw_amount",
  "status",
  "metadata",
  "payment_sessions.id",
  "payment_sessions.provider_id",
  "payment_sessions.amount",
  "payment_sessions.raw_amount",
  "payments.id",
  "payments.provider_id",
  "payments.captured_at",
  "payments.canceled_at",
  "payments.data",
  "payments.captures.amount",
  "payments.captures.raw_amount",
  "payments.refunds.id",
  "payments.refunds.note",
  "payments.refunds.created_by",
  "payments.refunds.amount",
  "payments.refunds.raw_amount",
  "payments.captures.created_by",
  "payments.captures.created_at",
];
