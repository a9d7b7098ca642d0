import { confirmOnReturn, type Payment, watchPayment } from "@tillkit/core";
import { serverLimits } from "../limits.ts";
import { readShopUrl } from "./shop-url.ts";
import { linkTo, type ShopperRequest } from "./shopper-request.ts";
import { pageResponse, redirectTo, type ShopperResponse } from "./shopper-response.ts";
import { type ShownStatus, shownStatusOf } from "./shown-status.ts";

/** The shopper returned from the hosted page, or the waiting page reloaded itself. A return does not prove a payment. */
export async function handleReturn(request: ShopperRequest): Promise<ShopperResponse> {
  const { engine, paymentId } = request;
  const isFirstRequest = request.waitingSince === null;
  const status = isFirstRequest ? await confirmOnReturn(engine, paymentId) : await watchPayment(engine, paymentId);
  return await responseTo(request, await shownStatusOf(request, status));
}

async function responseTo(request: ShopperRequest, { status, payment }: ShownStatus): Promise<ShopperResponse> {
  switch (status) {
    case "paid":
      return await redirectToShop(request, payment);
    case "recording":
      return await showWatchedPage(request, { name: "paid", status, payment, actionUrl: null });
    case "waiting":
    case "declined":
      return await showWatchedPage(request, { name: status, status, payment, actionUrl: linkTo(request, "pay") });
    case "expired":
      return await showWatchedPage(request, { name: "expired", status, payment, actionUrl: linkTo(request, "pay") });
    default:
      return pageResponse(status, 200, { payment, shopUrl: await readShopUrl(request.engine, payment, "paid") });
  }
}

async function redirectToShop({ engine }: ShopperRequest, payment: Payment): Promise<ShopperResponse> {
  const url = await readShopUrl(engine, payment, "paid");
  return url === null ? pageResponse("paid", 200, { payment }) : redirectTo(url);
}

type WatchedPage = {
  readonly name: "waiting" | "paid" | "declined" | "expired";
  readonly status: ShownStatus["status"];
  readonly payment: Payment;
  readonly actionUrl: string | null;
};

async function showWatchedPage(
  request: ShopperRequest,
  { name, status, payment, actionUrl }: WatchedPage,
): Promise<ShopperResponse> {
  const now = request.engine.clock.now();
  const since = request.waitingSince ?? now;
  const { slowRefreshAfterMs, slowRefreshMs, refreshMs } = serverLimits;
  const watch = {
    status,
    statusUrl: `${linkTo(request, "status", since)}&shown=${status}`,
    nextUrl: linkTo(request, "return", since),
    refreshSeconds: (now - since > slowRefreshAfterMs ? slowRefreshMs : refreshMs) / 1_000,
  };
  const shopUrl = await readShopUrl(request.engine, payment, name === "paid" ? "paid" : "waiting");
  return pageResponse(name, 200, { payment, actionUrl, watch, shopUrl });
}
