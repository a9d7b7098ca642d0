import { type CheckoutStart, codeOf, type Order, type Payment, resolveWithin, startCheckout } from "@tillkit/core";
import { hostLimits } from "../limits.ts";
import { webUrl } from "../web-url.ts";
import type { OrderAttempt } from "./link-tokens.ts";
import { go, type Reply, showPage } from "./reply.ts";
import { shopUrl } from "./shop-url.ts";
import { linkTo, type Visit } from "./visit.ts";

/** Somebody who wants to pay, with the link of a payment or with that of an order. */
type Payer = Omit<Visit, "paymentId"> & {
  readonly order: OrderAttempt;
  readonly payment: Payment | null;
  readonly againUrl: string;
};

/**
 * A shopper wants to pay, now or again. startCheckout decides: it finds the session that is still open for exactly this
 * order and total, and opens a new one only where there is none.
 */
export async function visitPay(visit: Visit): Promise<Reply> {
  const payment = await visit.engine.ledger.find({ id: visit.paymentId });
  if (!payment) return showPage("linkBroken", 404);
  return await pay({ ...visit, order: payment, payment, againUrl: linkTo(visit, "pay") });
}

/** The same with a link that names the order, kept by its platform: the address itself is the way to try again. */
export async function visitOrder(visit: Omit<Visit, "paymentId">, order: OrderAttempt): Promise<Reply> {
  return await pay({ ...visit, order, payment: null, againUrl: "" });
}

async function pay(payer: Payer): Promise<Reply> {
  const { engine } = payer;
  try {
    const found = await resolveWithin(engine.clock, hostLimits.findOrderMs, findOrder(payer));
    if (!found) return await refused(payer, "store_too_slow");
    if (!found.order) return await refused(payer, "order_not_found");
    return await replyTo(payer, await startCheckout(engine, found.order));
  } catch (error) {
    return await refused(payer, codeOf(error));
  }
}

async function findOrder({ engine, order: { ref, attempt } }: Payer): Promise<{ order: Order | null }> {
  const store = await engine.store(ref.storeId);
  return { order: await store.findOrder(ref, attempt) };
}

async function replyTo(payer: Payer, start: CheckoutStart): Promise<Reply> {
  if (start.status === "redirect") {
    const url = webUrl(start.url);
    return url === null ? await refused(payer, "session_unusable") : go(url);
  }
  const paying = start.paymentId === null ? null : await payer.engine.ledger.find({ id: start.paymentId });
  if (paying?.state === "verified") return go(linkTo({ ...payer, paymentId: paying.id }, "return"));
  // Where the platform said that the shopper of a paid order goes, whichever of its tries was paid.
  const url = webUrl(paying?.continueUrl ?? null) ?? (await shopUrl(payer.engine, payer.order, "paid"));
  if (start.status === "held") return showPage("held", 200, { payment: paying ?? payer.payment, shopUrl: url });
  return url === null ? showPage("alreadyPaid", 200, { payment: payer.payment }) : go(url);
}

async function refused({ engine, order, payment, againUrl }: Payer, code: string): Promise<Reply> {
  const shopAddress = await shopUrl(engine, order, "refused");
  switch (code) {
    case "order_not_found":
      return showPage("orderGone", 404, { payment, shopUrl: shopAddress });
    case "order_not_payable":
      return showPage("orderClosed", 409, { payment, shopUrl: shopAddress });
    case "order_under_review":
      return showPage("held", 200, { payment, shopUrl: shopAddress });
  }
  const who = payment ? { paymentId: payment.id } : { storeId: order.ref.storeId, attempt: order.attempt };
  engine.log.error("page.pay_failed", { ...who, code });
  if (SHOP_MUST_ACT.has(code)) return showPage("shopMustAct", 500, { payment, shopUrl: shopAddress });
  return showPage("tryLater", 503, { payment, shopUrl: shopAddress, actionUrl: againUrl });
}

/** Trying again does not help before the owner changed something. */
const SHOP_MUST_ACT: ReadonlySet<string> = new Set([
  "session_refused",
  "session_unusable",
  "amount_invalid",
  "currency_not_supported",
  "environment_differs",
  "store_not_known",
  "credential_not_known",
  "configuration_invalid",
  "reconnect",
]);
