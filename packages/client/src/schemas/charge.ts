import { z } from "zod";
import {
  amountSchema,
  currencyCodeSchema,
  filledSchema,
  idSchema,
  metadataSchema,
  phoneSchema,
  webUrlSchema,
} from "./common.ts";

const mobileCustomerSchema = z.object({
  name: filledSchema,
  phoneNumber: phoneSchema,
  email: z.email({ error: "must be a valid email address" }).optional(),
});

/** Body of POST /charge/wave. */
export const waveChargeRequestSchema = z.object({
  amount: amountSchema,
  currency: z.literal("XOF", { error: "must be XOF" }),
  customer: mobileCustomerSchema,
  description: z.string().max(1000).optional(),
  successUrl: webUrlSchema.optional(),
  errorUrl: webUrlSchema.optional(),
  metadata: metadataSchema.optional(),
});

/** Body of POST /charge/mtn. */
export const mtnChargeRequestSchema = z.object({
  amount: amountSchema,
  currency: z.literal("XOF", { error: "must be XOF" }),
  customer: mobileCustomerSchema,
  description: z.string().max(1000).optional(),
  countryCode: z.string().length(2).optional(),
  productId: filledSchema.optional(),
  subscriptionId: filledSchema.optional(),
  quantity: z.int().min(1).optional(),
  metadata: metadataSchema.optional(),
});

/** Body of POST /charge/card. `currency` is an older alias of `currency_code`. */
export const cardChargeRequestSchema = z
  .object({
    amount: amountSchema,
    currency_code: currencyCodeSchema.optional(),
    currency: currencyCodeSchema.optional(),
    customer_id: idSchema.optional(),
    customer_email: z.email({ error: "must be a valid email address" }).optional(),
    customer_name: filledSchema.optional(),
    customer_phone: filledSchema.optional(),
    description: z.string().max(1000).optional(),
    payment_reference: z.string().optional(),
    product_id: filledSchema.optional(),
    subscription_id: filledSchema.optional(),
    quantity: z.int().min(1).optional(),
    metadata: metadataSchema.optional(),
    appearance_theme: z.enum(["light", "dark", "flat"]).optional(),
    appearance_border_radius: z.union([z.string(), z.number()]).optional(),
    appearance_billing_address: z.enum(["auto", "never"]).optional(),
  })
  .superRefine((body, context) => {
    const addProblem = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (!body.currency_code && !body.currency) addProblem("currency_code", "is required");
    if (!body.customer_id && !(body.customer_email && body.customer_name))
      addProblem("customer_id", "is required unless customer_email and customer_name are given");
  });

/** Response of POST /charge/wave. */
export const waveChargeSchema = z.object({
  transactionId: idSchema,
  transaction_id: idSchema,
  wave_launch_url: z.url(),
  checkout_url: z.url(),
  status: z.string(),
  data: z.object({}),
  next_action: z.object({ type: z.literal("redirect"), url: z.url() }),
});

/** Response of POST /charge/mtn; `status` is in capitals while the charge is pending. */
export const mtnChargeSchema = z.object({
  success: z.boolean(),
  data: z.object({
    transaction_id: idSchema,
    external_id: z.string(),
    reference_id: z.string(),
    status: z.string(),
  }),
  next_action: z.object({ type: z.literal("await_webhook"), status: z.string() }),
});

/** Response of POST /charge/card and GET /charge/card/{id}; `amount` and `currency` may be converted. */
export const cardChargeSchema = z.object({
  success: z.boolean(),
  data: z.object({
    id: z.string().regex(/^pi_/),
    client_secret: z.string(),
    amount: z.number(),
    currency: z.string(),
    original_amount: z.number(),
    original_currency: currencyCodeSchema,
    status: z.enum(["requires_payment_method", "requires_action", "processing", "succeeded", "canceled"]),
    appearance: z.record(z.string(), z.unknown()).optional(),
    transaction_id: z.string().nullable().optional(),
  }),
  next_action: z
    .object({ type: z.literal("client_secret"), client_secret: z.string() })
    .nullable()
    .optional(),
});
