import { type CheckoutStart, codeOf, type Engine, type Order, type Payment, startCheckout } from "@tillkit/core";
import { hostLimits } from "../limits.ts";
import { within } from "../patience.ts";
import { webUrl } from "../web-url.ts";
import { go, type Reply, showPage } from "./reply.ts";
import { shopUrl } from "./shop-url.ts";
import { linkTo, type Visit } from "./visit.ts";

/**
 * A shopper wants to pay, now or again. startCheckout decides: it finds the session that is still open for exactly this
 * order and total, and opens a new one only where there is none.
 */
export async function visitPay(visit: Visit): Promise<Reply> {
  const { engine, paymentId } = visit;
  const payment = await engine.ledger.find({ id: paymentId });
  if (!payment) return showPage("linkBroken", 404);
  try {
    const found = await within(engine.clock, hostLimits.findOrderMs, findOrder(engine, payment));
    if (!found) return await refused(visit, payment, "store_too_slow");
    if (!found.order) return await refused(visit, payment, "order_not_found");
    return await replyTo(visit, payment, await startCheckout(engine, found.order));
  } catch (error) {
    return await refused(visit, payment, codeOf(error));
  }
}

async function findOrder(engine: Engine, { ref, attempt }: Payment): Promise<{ order: Order | null }> {
  const store = await engine.store(ref.storeId);
  return { order: await store.findOrder(ref, attempt) };
}

async function replyTo(visit: Visit, payment: Payment, start: CheckoutStart): Promise<Reply> {
  if (start.say === "redirect") {
    const url = webUrl(start.url);
    return url === null ? await refused(visit, payment, "session_unusable") : go(url);
  }
  const url = await shopUrl(visit.engine, payment, "paid");
  if (start.say === "paid") return url === null ? showPage("alreadyPaid", 200, { payment }) : go(url);
  const held = (await visit.engine.ledger.find({ id: start.paymentId })) ?? payment;
  return showPage("held", 200, { payment: held, shopUrl: url });
}

async function refused(visit: Visit, payment: Payment, code: string): Promise<Reply> {
  const { engine } = visit;
  const shopAddress = await shopUrl(engine, payment, "refused");
  switch (code) {
    case "order_not_found":
      return showPage("orderGone", 404, { payment, shopUrl: shopAddress });
    case "order_not_payable":
      return showPage("orderClosed", 409, { payment, shopUrl: shopAddress });
    case "order_under_review":
      return showPage("held", 200, { payment, shopUrl: shopAddress });
  }
  engine.log.error("page.pay_failed", { paymentId: payment.id, code });
  if (SHOP_MUST_ACT.has(code)) return showPage("shopMustAct", 500, { payment, shopUrl: shopAddress });
  return showPage("tryLater", 503, { payment, shopUrl: shopAddress, actionUrl: linkTo(visit, "pay") });
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
