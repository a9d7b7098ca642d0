import { z } from "zod";
import {
  amountSchema,
  currencyCodeSchema,
  environmentSchema,
  idSchema,
  metadataSchema,
  storedMetadataSchema,
  timeSchema,
  webUrlSchema,
} from "./common.ts";

/** An empty text is a mistake: a field without content is left out. */
const filled = z.string().min(1, { error: "must not be empty; leave the field out" });

/** Sales channels the service knows. */
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
  key: filled,
  scope: z.string().optional(),
  type: z.string().optional(),
  visibility: z.string().optional(),
  order: z.int().optional(),
});

const lineItemSchema = z.object({
  price_id: filled,
  quantity: z.int().min(1).optional(),
  metadata: metadataSchema.optional(),
});

const refused = z.undefined({ error: "is not supported" }).optional();

const requestFields = z.object({
  amount: amountSchema.optional(),
  currency_code: currencyCodeSchema.optional(),
  title: z.string().max(255).optional(),
  description: z.string().max(1000).optional(),
  /** May hold `{CHECKOUT_SESSION_ID}`, which the hosted page replaces. */
  success_url: webUrlSchema.optional(),
  cancel_url: webUrlSchema.optional(),
  customer_id: idSchema.optional(),
  customer_email: z.email({ error: "must be a valid e-mail address" }).optional(),
  customer_name: filled.optional(),
  customer_phone: filled.optional(),
  customer_address: filled.optional(),
  customer_city: filled.optional(),
  customer_country: filled.optional(),
  customer_postal_code: filled.optional(),
  allow_quantity: z.boolean().optional(),
  quantity: z.int().min(1).optional(),
  allow_coupon_code: z.boolean().optional(),
  require_name: z.boolean().optional(),
  require_email: z.boolean().optional(),
  require_phone: z.boolean().optional(),
  require_billing_address: z.boolean().optional(),
  fields: z.array(fieldSchema).optional(),
  metadata: metadataSchema.optional(),
  product_id: filled.optional(),
  price_id: filled.optional(),
  subscription_id: filled.optional(),
  payment_link_id: filled.optional(),
  line_items: z.array(lineItemSchema).min(1).optional(),
  integration_source: z.enum(INTEGRATION_SOURCES).optional(),
  application_fee_amount: z.int().min(0).optional(),
  transfer_data: refused,
  transfer_group: refused,
});

/** Body of POST /checkout-sessions. Unknown fields are dropped; defaults are the service's. */
export const checkoutSessionRequestSchema = requestFields.superRefine((body, context) => {
  const problem = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
  if (body.amount === undefined && !body.line_items && !body.product_id && !body.price_id)
    problem("amount", "is required unless line_items, product_id or price_id is given");
  if (body.amount !== undefined && (body.application_fee_amount ?? 0) > body.amount)
    problem("application_fee_amount", "must not be above amount");
  const asksNothing = body.require_name === false && body.require_email === false && body.require_phone !== true;
  if (asksNothing && !body.customer_name && !body.customer_id)
    problem("require_name", "name, e-mail and phone cannot all be off without customer_name or customer_id");
});

export type CheckoutSessionRequest = z.input<typeof checkoutSessionRequestSchema>;

const text = z.string().nullable().optional();

/** Answer of POST and GET. Only the fields of the narrow read-back are certain. */
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
  title: text,
  description: text,
  success_url: text,
  cancel_url: text,
  customer_id: text,
  customer_email: text,
  customer_name: text,
  customer_phone: text,
  customer_address: text,
  customer_city: text,
  customer_country: text,
  customer_postal_code: text,
  quantity: z.int().optional(),
  allow_quantity: z.boolean().optional(),
  allow_coupon_code: z.boolean().optional(),
  require_name: z.boolean().optional(),
  require_email: z.boolean().optional(),
  require_phone: z.boolean().optional(),
  require_billing_address: z.boolean().optional(),
  product_id: text,
  price_id: text,
  subscription_id: text,
  payment_link_id: text,
  payment_request_id: text,
  installment_plan_id: text,
  organization_id: idSchema.optional(),
  created_by: idSchema.optional(),
  environment: environmentSchema.optional(),
  is_pos: z.boolean().optional(),
  is_spi: z.boolean().optional(),
  spi_account_number: text,
  spi_qr_code_id: text,
  qr_code_type: text,
  qr_code_data: text,
  created_at: timeSchema.optional(),
  updated_at: timeSchema.optional(),
  next_action: z
    .object({ type: z.literal("redirect"), url: z.url() })
    .nullable()
    .optional(),
  transaction_id: text,
  network: z.object({ account: z.string(), membership_id: z.string() }).optional(),
});
