import { z } from "zod";
import {
  currencyCodeSchema,
  environmentSchema,
  idSchema,
  networkSchema,
  storedMetadataSchema,
  storedTextSchema,
  timeSchema,
} from "./common.ts";
import { dateFilterSchema, listQuerySchema, queryFlagSchema } from "./list.ts";

export const TRANSACTION_STATUSES = [
  "pending",
  "completed",
  "failed",
  "refunded",
  "expired",
  "cancelled",
  "held",
] as const;

/** Item of GET /transactions and response of GET /transactions/{id}. */
export const transactionSchema = z.object({
  transaction_id: idSchema,
  public_id: z.string().regex(/^txn_/),
  organization_id: idSchema,
  customer_id: storedTextSchema,
  product_id: storedTextSchema,
  price_id: storedTextSchema,
  subscription_id: storedTextSchema,
  checkout_session_id: storedTextSchema,
  transaction_type: z.string(),
  status: z.enum(TRANSACTION_STATUSES),
  description: storedTextSchema,
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
  spi_account_number: storedTextSchema,
  spi_qr_code_id: storedTextSchema,
  failure_code: storedTextSchema,
  failure_message: storedTextSchema,
  metadata: storedMetadataSchema.nullable(),
  environment: environmentSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
  network: networkSchema.optional(),
});

/** Several values separated by commas. */
const commaSeparatedSchema = z.string().optional();

/** Query of GET /transactions. */
export const transactionQuerySchema = listQuerySchema.extend({
  status: commaSeparatedSchema,
  type: commaSeparatedSchema,
  currency: commaSeparatedSchema,
  provider: commaSeparatedSchema,
  paymentMethod: commaSeparatedSchema,
  startDate: dateFilterSchema,
  endDate: dateFilterSchema,
  isPos: queryFlagSchema,
});
