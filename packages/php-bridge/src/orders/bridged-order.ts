import { type Environment, type Language, type Order, type OrderRef, parseMoney } from "@tillkit/core";
import { z } from "zod";

const customerText = z.string().nullish().catch(null);

/** What the plugin stores with an order when it makes the pay link; null before. */
const storedText = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

/** An order in the answers of a plugin. */
export const bridgedOrderSchema = z
  .object({
    order: z.string(),
    key: z.string().min(1),
    number: z.string(),
    total: z.string(),
    currency: z.string(),
    status: z.string(),
    payable: z.boolean(),
    closed: z.boolean(),
    ours: z.boolean(),
    paid_by: z.string().nullable(),
    /** Seconds since 1970. */
    marked_by: z.object({ by: z.string(), at: z.number() }).nullable(),
    language: z.enum(["fr", "en"]).nullish().catch(null),
    title: z.string(),
    items: z.string(),
    // What the shopper entered. A missing or odd value must not make the order unreadable.
    customer: z.object({ name: customerText, email: customerText, phone: customerText }).nullish().catch(null),
    return_url: storedText,
    retry_url: storedText,
    urls_signature: storedText,
  })
  .transform((answer) => ({
    id: answer.order,
    key: answer.key,
    number: answer.number,
    total: answer.total,
    currency: answer.currency,
    status: answer.status,
    isPayable: answer.payable,
    isClosed: answer.closed,
    isOurs: answer.ours,
    paidBy: answer.paid_by,
    markedPaid: answer.marked_by && { by: answer.marked_by.by, at: answer.marked_by.at * 1_000 },
    language: answer.language ?? null,
    title: answer.title,
    items: answer.items,
    customer: {
      name: answer.customer?.name ?? undefined,
      email: answer.customer?.email ?? undefined,
      phone: answer.customer?.phone ?? undefined,
    },
    returnUrl: answer.return_url,
    retryUrl: answer.retry_url,
    urlsSignature: answer.urls_signature,
  }));

/**
 * An order of a PHP shop as it was read. `key`: the secret key of this order. `total`: a decimal number as text. `isPayable`: its status allows a
 * payment. `isClosed`: it will not be paid any more. `isOurs`: the chosen payment method is ours. `markedPaid`: who set it to paid by hand, and when
 * (milliseconds since 1970). `retryUrl`: where the shopper can pay again; `payUrl`: the same on the platform's own page, where it names one.
 */
export type BridgedOrder = z.output<typeof bridgedOrderSchema> & { readonly payUrl?: string | undefined };

/** Ids of orders are positive integers in every PHP shop that we know. */
export const ORDER_ID = /^[1-9]\d{0,18}$/;

export function isOrderId(text: string): boolean {
  return ORDER_ID.test(text);
}

/** @throws CheckoutError `amount_invalid`, `currency_not_supported` */
export function toOrder(
  order: BridgedOrder,
  ref: OrderRef,
  store: { readonly environment: Environment; readonly language: Language },
): Order {
  const { paidBy, markedPaid } = order;
  return {
    ref,
    // A PHP shop has no id of a payment attempt.
    attempt: "",
    total: parseMoney(order.total, order.currency),
    number: order.number,
    title: order.title,
    description: order.items,
    customer: order.customer,
    environment: store.environment,
    language: order.language ?? store.language,
    payable: paidBy === null && order.isPayable,
    paidBy,
    ...(paidBy === "owner" && markedPaid ? { markedPaid } : {}),
  };
}
