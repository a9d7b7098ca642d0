import { z } from "zod";

const id = z.string().regex(/^[\w=+/-]{1,200}$/);
const amount = z.string().regex(/^\d{1,15}(?:\.\d{1,20})?$/);
const currency = z.string().regex(/^[A-Z]{3}$/);

/** The page of a checkout, where a browser is sent: never `javascript:` or `data:`. */
const pageUrl = z.url({ protocol: /^https?$/ }).max(2_000);

const locale = z.string().regex(/^[A-Za-z]{2,3}(?:[-_][\w-]{1,20})?$/);

/**
 * What Shopify posts when a buyer picks our way of paying. Fields that are not named here come and go with its versions, and
 * nothing of the customer but the language is read, let alone kept.
 */
export const postedPayment = z
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
    customer: z.object({ locale: locale.nullish().catch(null) }).nullish(),
  })
  .refine(({ id: own, gid }) => gid === `gid://shopify/PaymentSession/${own}`, { path: ["gid"] })
  .refine(({ payment_method: method, cancel_url: url }) => (method?.data?.cancel_url ?? url) !== undefined, {
    path: ["payment_method"],
  });

export type PostedPayment = z.output<typeof postedPayment>;

const money = z.object({ id, gid: z.string(), payment_id: id, test: z.boolean() });

const named = (kind: string) => (body: { id: string; gid: string }) =>
  body.gid === `gid://shopify/${kind}Session/${body.id}`;

export const postedRefund = money.extend({ amount, currency }).refine(named("Refund"), { path: ["gid"] });
export const postedCapture = money.extend({ amount, currency }).refine(named("Capture"), { path: ["gid"] });
export const postedVoid = money.refine(named("Void"), { path: ["gid"] });

export type PostedMoney = z.output<typeof money> & { readonly amount?: string; readonly currency?: string };
