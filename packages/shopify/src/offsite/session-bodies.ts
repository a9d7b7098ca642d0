import { z } from "zod";

const id = z.string().regex(/^[\w=+/-]{1,200}$/);
const amount = z.string().regex(/^\d{1,15}(?:\.\d{1,20})?$/);
const currency = z.string().regex(/^[A-Z]{3}$/);

/** The URL of a checkout page that a browser is redirected to. `javascript:` and `data:` are not accepted. */
const pageUrl = z.url({ protocol: /^https?$/ }).max(2_000);

const locale = z.string().regex(/^[A-Za-z]{2,3}(?:[-_][\w-]{1,20})?$/);

const customerText = z.string().max(254).nullish().catch(null);

const customer = z.object({
  locale: locale.nullish().catch(null),
  email: customerText,
  phone_number: customerText,
  billing_address: z
    .object({ given_name: customerText, family_name: customerText, phone_number: customerText })
    .nullish()
    .catch(null),
});

/**
 * The body that Shopify posts when a shopper chooses our payment method. Fields that are not listed are ignored. A customer that
 * cannot be read must not stop the payment.
 */
export const paymentBody = z
  .object({
    id,
    gid: z.string(),
    group: z.string().min(1).max(200),
    amount,
    currency,
    test: z.boolean(),
    kind: z.enum(["sale", "authorization"]),
    merchant_locale: z.string().optional(),
    payment_method: z.object({ data: z.object({ cancel_url: pageUrl.optional() }).optional() }).optional(),
    cancel_url: pageUrl.optional(),
    customer: customer.nullish().catch(null),
  })
  .refine((body) => body.gid === `gid://shopify/PaymentSession/${body.id}`, { path: ["gid"] })
  .refine(({ payment_method: method, cancel_url: url }) => (method?.data?.cancel_url ?? url) !== undefined, {
    path: ["payment_method"],
  });

export type PaymentBody = z.output<typeof paymentBody>;

const modification = z.object({ id, gid: z.string(), payment_id: id, test: z.boolean() });

const hasGidOf = (kind: string) => (body: { id: string; gid: string }) =>
  body.gid === `gid://shopify/${kind}Session/${body.id}`;

export const refundBody = modification.extend({ amount, currency }).refine(hasGidOf("Refund"), { path: ["gid"] });
export const captureBody = modification.extend({ amount, currency }).refine(hasGidOf("Capture"), { path: ["gid"] });
export const voidBody = modification.refine(hasGidOf("Void"), { path: ["gid"] });

export type ModificationBody = z.output<typeof modification> & { readonly amount?: string; readonly currency?: string };
