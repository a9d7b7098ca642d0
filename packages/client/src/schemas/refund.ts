import { z } from "zod";
import {
  amountSchema,
  currencyCodeSchema,
  environmentSchema,
  filledSchema,
  idSchema,
  networkSchema,
  storedMetadataSchema,
  storedTextSchema,
  timeSchema,
} from "./common.ts";
import { confirmationTokenSchema } from "./confirmation.ts";
import { dateFilterSchema, listQuerySchema } from "./list.ts";

const refundStatusSchema = z.enum(["pending", "completed", "failed"]);

/** Body of POST /refunds. */
export const refundRequestSchema = z.object({
  /** UUID or `txn_…`. */
  transaction_id: filledSchema,
  amount: amountSchema,
  reason: z.string().optional(),
  refund_type: z.enum(["full", "partial"]).optional(),
  subscription_action: z.enum(["default", "cancel", "pause", "none"]).optional(),
  confirmation_token: confirmationTokenSchema,
  reverse_transfer: z.boolean().optional(),
  refund_application_fee: z.boolean().optional(),
});

/** Response of POST /refunds. */
export const refundCreatedSchema = z.object({
  success: z.boolean(),
  refund_id: idSchema,
  transaction_id: idSchema,
  refunded_amount: z.number(),
  status: refundStatusSchema,
  message: z.string().optional(),
});

/** Item of GET /refunds and response of GET /refunds/{id}. */
export const refundSchema = z.object({
  refund_id: idSchema,
  transaction_id: idSchema,
  checkout_session_id: storedTextSchema,
  organization_id: idSchema.optional(),
  amount: z.number(),
  refunded_amount: z.number(),
  fee_amount: z.number(),
  reason: storedTextSchema,
  status: refundStatusSchema,
  failure_message: storedTextSchema,
  metadata: storedMetadataSchema.nullable(),
  currency_code: currencyCodeSchema,
  environment: environmentSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
  network: networkSchema.optional(),
});

/** Query of GET /refunds. */
export const refundQuerySchema = listQuerySchema.extend({
  status: z.string().optional(),
  startDate: dateFilterSchema,
  endDate: dateFilterSchema,
});
