import { z } from "zod";
import {
  amountSchema,
  currencyCodeSchema,
  environmentSchema,
  filledSchema,
  idSchema,
  metadataSchema,
  storedMetadataSchema,
  storedTextSchema,
  timeSchema,
} from "./common.ts";
import { confirmationTokenSchema } from "./confirmation.ts";

/** Body of POST /payment-requests; the schema cannot check that `expiry_date` is in the future. */
export const paymentRequestRequestSchema = z.object({
  amount: amountSchema,
  currency_code: currencyCodeSchema,
  expiry_date: z.iso.datetime({ offset: true, error: "must be an ISO 8601 time" }),
  description: z.string().max(1000).optional(),
  customer_id: idSchema.optional(),
  payment_reference: z.string().optional(),
  metadata: metadataSchema.optional(),
});

/** Response of POST /payment-requests; `request_id` is the id of the payment request. */
export const paymentRequestSchema = z.object({
  request_id: idSchema,
  amount: z.number(),
  currency_code: currencyCodeSchema,
  customer_id: storedTextSchema,
  description: storedTextSchema,
  payment_reference: storedTextSchema,
  payment_link: z.url(),
  expiry_date: timeSchema,
  status: z.enum(["pending", "completed", "failed", "expired"]),
  metadata: storedMetadataSchema.nullable(),
  spi_account_number: storedTextSchema,
  spi_qr_code_id: storedTextSchema,
  organization_id: idSchema,
  created_by: idSchema,
  environment: environmentSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
});

/** Body of POST /payouts. */
export const payoutRequestSchema = z
  .object({
    destination: z.enum(["self", "beneficiary"]),
    rail: z.enum(["wave", "mtn", "bank", "spi"]),
    amount: amountSchema,
    currency_code: currencyCodeSchema,
    payout_method_id: idSchema.optional(),
    recipient: z.object({ name: filledSchema, phone: filledSchema }).optional(),
    reason: z.string().optional(),
    confirmation_token: confirmationTokenSchema,
  })
  .superRefine((body, context) => {
    const addProblem = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (body.destination === "self" && !body.payout_method_id)
      addProblem("payout_method_id", "is required when destination is self");
    if (body.destination === "beneficiary" && !body.recipient)
      addProblem("recipient", "is required when destination is beneficiary");
  });

/** Response of POST /payouts. */
export const payoutSchema = z.object({
  success: z.boolean(),
  payout_id: idSchema,
  kind: z.enum(["withdrawal", "beneficiary"]),
  status: z.enum(["pending", "processing", "completed", "failed"]),
  message: z.string().optional(),
});

/** Body of POST /settlements/instant. */
export const instantSettlementRequestSchema = z
  .object({
    mode: z.enum(["advance", "rail"]),
    amount: amountSchema,
    currency_code: currencyCodeSchema,
    payout_id: idSchema.optional(),
    confirmation_token: confirmationTokenSchema,
  })
  .refine((body) => body.mode !== "rail" || body.payout_id !== undefined, {
    path: ["payout_id"],
    error: "is required when mode is rail",
  });

/** Response of POST /settlements/instant. */
export const instantSettlementSchema = z.object({
  instant_settlement_id: idSchema,
  mode: z.enum(["advance", "rail"]),
  amount: z.number(),
  fee_amount: z.number(),
  net_amount: z.number(),
  currency_code: currencyCodeSchema,
  payout_id: z.string().nullable(),
  status: z.literal("completed"),
  environment: environmentSchema,
  created_at: timeSchema,
});
