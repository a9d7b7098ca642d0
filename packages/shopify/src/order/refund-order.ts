import { codeOf, type Money, type OrderRef, type Payment, parseMoney, refundPayment, syncRefunds } from "@tillkit/core";
import type { Desk } from "../app/desk.ts";
import { readRefund } from "../graphql/admin-operations.ts";
import { shopifyLimits } from "../limits.ts";
import { paymentToRefund } from "../shop/payment-to-refund.ts";
import { type Gateways, NO_GATEWAYS } from "../shop/shops.ts";
import { orderNumber, wasBy } from "./order-view.ts";
import { readRefundNote } from "./record-order-refund.ts";
import { type UnpaidRefund, unpaidRefundWords } from "./refund-words.ts";

type ShopRefund = NonNullable<Awaited<ReturnType<typeof readAnew>>>;

/**
 * The owner refunded an order in the shop. A manual payment method moves no money, so we do, once for each refund: what it
 * says is read from Shopify, not from its webhook.
 */
export async function refundOrder(
  desk: Desk,
  shop: string,
  refundId: string,
): Promise<"done" | { readonly againAt: number }> {
  const found = await readAnew(desk, shop, refundId);
  if (!found) return "done";
  const ref = { storeId: shop, orderId: orderNumber(found.order.id) };
  const key = `shopify-refund:${refundId}`;
  const payments = await desk.ledger.siblings(ref);
  const payment = await paymentToRefund(desk.ledger, payments, key);
  const gateways = (await desk.shops.find(shop)) ?? NO_GATEWAYS;
  if (!payment) return await refundOfNoPayment(desk, ref, { key, payments, found, gateways });
  const amount = refundedBy(found, gateways, payment.amountDue.currency);
  if (!amount || (await isOurOwn(desk, payments, found))) return "done";
  try {
    const wish = { paymentId: payment.id, key, amount, origin: "store", reusesKeys: true } as const;
    const refund = await refundPayment(desk.engine, wish);
    const now = desk.clock.now();
    if (refund.state === "failed") await tellOwner(desk, ref, key, "failed");
    if (refund.state === "completed" || refund.state === "failed") return "done";
    await syncRefunds(desk.engine, payment.id);
    return { againAt: now + shopifyLimits.refundReadEveryMs / 2 };
  } catch (error) {
    const code = codeOf(error);
    // An earlier one is without an answer: this is another one, and has its turn after it.
    if (code === "refund_in_doubt") return { againAt: desk.clock.now() + shopifyLimits.refundLookMs };
    if (!FINAL.has(code)) throw error;
    await tellOwner(desk, ref, key, "refused");
    return "done";
  }
}

/** Money that is held, or that paid the order a second time, goes back by a decision about it: the owner reads that. */
async function refundOfNoPayment(
  desk: Desk,
  ref: OrderRef,
  about: {
    readonly key: string;
    readonly payments: readonly Payment[];
    readonly found: ShopRefund;
    readonly gateways: Gateways;
  },
): Promise<"done"> {
  const waiting = about.payments.find(({ state }) => state === "review" || state === "duplicate");
  const amount = waiting && refundedBy(about.found, about.gateways, waiting.amountDue.currency);
  if (amount && !(await isOurOwn(desk, about.payments, about.found)))
    await tellOwner(desk, ref, about.key, "undecided");
  return "done";
}

const FINAL: ReadonlySet<string> = new Set([
  "refund_too_large",
  "refund_not_possible",
  "refund_key_reused",
  "amount_invalid",
]);

function readAnew(desk: Desk, shop: string, refundId: string) {
  return desk.graphql.call(shop, readRefund, { id: `gid://shopify/Refund/${refundId}` });
}

/** What of it belongs to our payment method, in the currency that was paid; null when nothing does. */
function refundedBy({ transactions }: ShopRefund, gateways: Gateways, currency: string): Money | null {
  const own = transactions.nodes.filter(
    (one) => one.kind === "REFUND" && (one.status === "SUCCESS" || one.status === "PENDING") && wasBy(one, gateways),
  );
  const amounts = own.map(({ amountSet: { presentmentMoney: money } }) => parseMoney(money.amount, money.currencyCode));
  const minor = amounts.reduce((sum, amount) => sum + amount.minor, 0);
  return minor > 0 && amounts.every((amount) => amount.currency === currency) ? { minor, currency } : null;
}

/** It stands for money that went back by other means: giving it back again would be once too often. */
async function isOurOwn({ ledger }: Desk, payments: readonly Payment[], { note }: ShopRefund): Promise<boolean> {
  const named = readRefundNote(note);
  if (named === null) return false;
  const refunds = (await Promise.all(payments.map(({ id }) => ledger.refunds(id)))).flat();
  return refunds.some(({ refundId, key, origin }) => origin !== "store" && (refundId === named || key === named));
}

async function tellOwner(desk: Desk, ref: OrderRef, key: string, why: UnpaidRefund): Promise<void> {
  desk.log.error("shopify.refund_not_paid", { storeId: ref.storeId, orderId: ref.orderId, why });
  const text = unpaidRefundWords(await desk.shops.languageOf(ref.storeId), why);
  await desk.lines.add(ref, key, { kind: "refund", text });
}
