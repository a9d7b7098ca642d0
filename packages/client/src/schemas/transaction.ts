import { z } from "zod";
import { currencyCodeSchema, environmentSchema, idSchema, storedMetadataSchema, timeSchema } from "./common.ts";

export const TRANSACTION_STATUSES = [
  "pending",
  "completed",
  "failed",
  "refunded",
  "expired",
  "cancelled",
  "held",
] as const;

const text = z.string().nullable().optional();

/** Item of GET /transactions and answer of GET /transactions/{id}. */
export const transactionSchema = z.object({
  transaction_id: idSchema,
  public_id: z.string().regex(/^txn_/),
  organization_id: idSchema,
  customer_id: text,
  product_id: text,
  price_id: text,
  subscription_id: text,
  checkout_session_id: text,
  transaction_type: z.string(),
  status: z.enum(TRANSACTION_STATUSES),
  description: text,
  quantity: z.int(),
  gross_amount: z.number(),
  discount_amount: z.number(),
  fee_amount: z.number(),
  net_amount: z.number(),
  refunded_amount: z.number(),
  currency_code: currencyCodeSchema,
  gross_amount_xof: z.number().optional(),
  provider_code: z.enum(["CARD", "WAVE", "MTN", "SPI"]),
  payment_method_code: z.enum(["CARDS", "MOBILE_MONEY", "BANK_TRANSFER", "FREE"]),
  is_bnpl: z.boolean().optional(),
  is_pos: z.boolean().optional(),
  failure_code: text,
  failure_message: text,
  metadata: storedMetadataSchema.nullable(),
  environment: environmentSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
  network: z.object({ account: z.string(), membership_id: z.string() }).optional(),
});
