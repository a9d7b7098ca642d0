import { type CheckoutStart, codeOf, type Order, type Payment, startCheckout } from "@tillkit/core";
import { mustMerchantAct, resolveWithin } from "@tillkit/core/hosts";
import { serverLimits } from "../limits.ts";
import { webUrl } from "../pages/web-url.ts";
import type { OrderAttempt } from "./link-tokens.ts";
import { readShopUrl } from "./shop-url.ts";
import { linkTo, type ShopperRequest } from "./shopper-request.ts";
import { pageResponse, redirectTo, type ShopperResponse } from "./shopper-response.ts";

/** A request to pay, with the link of a payment or of an order. */
type PayRequest = Omit<ShopperRequest, "paymentId"> & {
  readonly order: OrderAttempt;
  readonly payment: Payment | null;
  /** Where the retry button of a page leads; `""` loads the same link again. */
  readonly retryUrl: string;
};

/** The shopper opened the pay link of a payment. */
export async function handlePay(request: ShopperRequest): Promise<ShopperResponse> {
  const payment = await request.engine.ledger.find({ id: request.paymentId });
  if (!payment) return pageResponse("linkBroken", 404);
  return await pay({ ...request, order: payment, payment, retryUrl: linkTo(request, "pay") });
}

/** The shopper opened the permanent link of an order, which its platform stores. */
export async function handleOrderPay(
  request: Omit<ShopperRequest, "paymentId">,
  order: OrderAttempt,
): Promise<ShopperResponse> {
  return await pay({ ...request, order, payment: null, retryUrl: "" });
}

// startCheckout finds the session that is open for exactly this order and total, or opens a new one.
async function pay(request: PayRequest): Promise<ShopperResponse> {
  const { engine } = request;
  try {
    const found = await resolveWithin(engine.clock, serverLimits.findOrderTimeoutMs, findOrder(request));
    if (!found) return await refusalPage(request, "store_too_slow");
    if (!found.order) return await refusalPage(request, "order_not_found");
    return await responseTo(request, await startCheckout(engine, found.order));
  } catch (error) {
    return await refusalPage(request, codeOf(error));
  }
}

async function findOrder({ engine, order: { ref, attempt } }: PayRequest): Promise<{ order: Order | null }> {
  const store = await engine.store(ref.storeId);
  return { order: await store.findOrder(ref, attempt) };
}

async function responseTo(request: PayRequest, start: CheckoutStart): Promise<ShopperResponse> {
  if (start.status === "redirect") {
    const url = webUrl(start.url);
    return url === null ? await refusalPage(request, "session_unusable") : redirectTo(url);
  }
  const payment = start.paymentId === null ? null : await request.engine.ledger.find({ id: start.paymentId });
  if (payment?.state === "verified") return redirectTo(linkTo({ ...request, paymentId: payment.id }, "return"));
  // The payment that paid the order may belong to another attempt than this link, so the URL of that payment comes first.
  const shopUrl = await readShopUrl(request.engine, payment ?? request.order, "paid");
  if (start.status === "held") return pageResponse("held", 200, { payment: payment ?? request.payment, shopUrl });
  return shopUrl === null ? pageResponse("alreadyPaid", 200, { payment: request.payment }) : redirectTo(shopUrl);
}

async function refusalPage({ engine, order, payment, retryUrl }: PayRequest, code: string): Promise<ShopperResponse> {
  const shopUrl = await readShopUrl(engine, order, "refused");
  switch (code) {
    case "order_not_found":
      return pageResponse("orderGone", 404, { payment, shopUrl });
    case "order_not_payable":
      return pageResponse("orderClosed", 409, { payment, shopUrl });
    case "order_under_review":
      return pageResponse("held", 200, { payment, shopUrl });
  }
  const ids = payment ? { paymentId: payment.id } : { storeId: order.ref.storeId, attempt: order.attempt };
  engine.log.error("page.pay_failed", { ...ids, code });
  if (mustMerchantAct(code)) return pageResponse("shopMustAct", 500, { payment, shopUrl });
  return pageResponse("tryLater", 503, { payment, shopUrl, actionUrl: retryUrl });
}
