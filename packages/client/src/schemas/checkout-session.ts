import { z } from "zod";
import {
  amountSchema,
  currencyCodeSchema,
  environmentSchema,
  filledSchema,
  idSchema,
  metadataSchema,
  networkSchema,
  storedMetadataSchema,
  storedTextSchema,
  timeSchema,
  webUrlSchema,
} from "./common.ts";

/** Sales channels that the service accepts. */
export const INTEGRATION_SOURCES = [
  "system",
  "shopify",
  "woocommerce",
  "prestashop",
  "magento",
  "odoo",
  "bubble",
] as const;

const fieldSchema = z.object({
  key: filledSchema,
  scope: z.string().optional(),
  type: z.string().optional(),
  visibility: z.string().optional(),
  order: z.int().optional(),
});

const lineItemSchema = z.object({
  price_id: filledSchema,
  quantity: z.int().min(1).optional(),
  metadata: metadataSchema.optional(),
});

const notSupported = z.never({ error: "is not supported" }).optional();

const requestFields = z.object({
  amount: amountSchema.optional(),
  currency_code: currencyCodeSchema.optional(),
  title: z.string().max(255).optional(),
  description: z.string().max(1000).optional(),
  /** May hold `{CHECKOUT_SESSION_ID}`, which the hosted page replaces. */
  success_url: webUrlSchema.optional(),
  cancel_url: webUrlSchema.optional(),
  customer_id: idSchema.optional(),
  customer_email: z.email({ error: "must be a valid email address" }).optional(),
  customer_name: filledSchema.optional(),
  customer_phone: filledSchema.optional(),
  customer_address: filledSchema.optional(),
  customer_city: filledSchema.optional(),
  customer_country: filledSchema.optional(),
  customer_postal_code: filledSchema.optional(),
  allow_quantity: z.boolean().optional(),
  quantity: z.int().min(1).optional(),
  allow_coupon_code: z.boolean().optional(),
  require_name: z.boolean().optional(),
  require_email: z.boolean().optional(),
  require_phone: z.boolean().optional(),
  require_billing_address: z.boolean().optional(),
  fields: z.array(fieldSchema).optional(),
  metadata: metadataSchema.optional(),
  product_id: filledSchema.optional(),
  price_id: filledSchema.optional(),
  subscription_id: filledSchema.optional(),
  payment_link_id: filledSchema.optional(),
  line_items: z.array(lineItemSchema).min(1).optional(),
  integration_source: z.enum(INTEGRATION_SOURCES).optional(),
  application_fee_amount: z.int().min(0).optional(),
  transfer_data: notSupported,
  transfer_group: notSupported,
});

/** Body of POST /checkout-sessions. Unknown fields are dropped; the service sets the defaults. */
export const checkoutSessionRequestSchema = requestFields.superRefine((body, context) => {
  const addProblem = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
  if (body.amount === undefined && !body.line_items && !body.product_id && !body.price_id)
    addProblem("amount", "is required unless line_items, product_id or price_id is given");
  if (body.amount !== undefined && (body.application_fee_amount ?? 0) > body.amount)
    addProblem("application_fee_amount", "must not be above amount");
  const asksForNoContact = body.require_name === false && body.require_email === false && body.require_phone !== true;
  if (asksForNoContact && !body.customer_name && !body.customer_id)
    addProblem("require_name", "name, email and phone cannot all be off without customer_name or customer_id");
});

/** Response of POST and GET. Optional fields may be absent when a session is read (API.md#response-forms). */
export const checkoutSessionSchema = z.object({
  id: idSchema,
  checkout_session_id: idSchema,
  status: z.enum(["open", "completed", "expired"]),
  amount: z.number(),
  currency_code: currencyCodeSchema,
  metadata: storedMetadataSchema,
  expires_at: timeSchema,
  checkout_url: z.url().optional(),
  amount_xof: z.number().optional(),
  title: storedTextSchema,
  description: storedTextSchema,
  success_url: storedTextSchema,
  cancel_url: storedTextSchema,
  customer_id: storedTextSchema,
  customer_email: storedTextSchema,
  customer_name: storedTextSchema,
  customer_phone: storedTextSchema,
  customer_address: storedTextSchema,
  customer_city: storedTextSchema,
  customer_country: storedTextSchema,
  customer_postal_code: storedTextSchema,
  quantity: z.int().optional(),
  allow_quantity: z.boolean().optional(),
  allow_coupon_code: z.boolean().optional(),
  require_name: z.boolean().optional(),
  require_email: z.boolean().optional(),
  require_phone: z.boolean().optional(),
  require_billing_address: z.boolean().optional(),
  product_id: storedTextSchema,
  price_id: storedTextSchema,
  subscription_id: storedTextSchema,
  payment_link_id: storedTextSchema,
  payment_request_id: storedTextSchema,
  installment_plan_id: storedTextSchema,
  organization_id: idSchema.optional(),
  created_by: idSchema.optional(),
  environment: environmentSchema.optional(),
  is_pos: z.boolean().optional(),
  is_spi: z.boolean().optional(),
  spi_account_number: storedTextSchema,
  spi_qr_code_id: storedTextSchema,
  qr_code_type: storedTextSchema,
  qr_code_data: storedTextSchema,
  created_at: timeSchema.optional(),
  updated_at: timeSchema.optional(),
  next_action: z
    .object({ type: z.literal("redirect"), url: z.url() })
    .nullable()
    .optional(),
  transaction_id: storedTextSchema,
  network: networkSchema.optional(),
});

/** The response of POST /checkout-sessions for a customer whose unpaid invoice blocks payments: it holds no session. */
export const paymentRequiredSchema = z.object({
  payment_required: z.literal(true),
  reason: z.literal("invoice_payment_required"),
  blocking_invoice: z.object({
    invoice_id: filledSchema,
    invoice_number: filledSchema,
    amount_remaining: z.number(),
    currency_code: currencyCodeSchema,
    checkout_url: z.url(),
  }),
});
