import { confirmOnReturn, recordCancel } from "@tillkit/core";
import { readShopUrl } from "./shop-url.ts";
import { linkTo, type ShopperRequest } from "./shopper-request.ts";
import { pageResponse, redirectTo, type ShopperResponse } from "./shopper-response.ts";

/**
 * The shopper pressed cancel on the hosted page. This cancels nothing: the same session can still be paid, and may already
 * have been paid in another window.
 */
export async function handleCancel(request: ShopperRequest): Promise<ShopperResponse> {
  await recordCancel(request.engine, request.paymentId);
  const { status, payment } = await confirmOnReturn(request.engine, request.paymentId);
  if (status !== "waiting" && status !== "expired") return redirectTo(linkTo(request, "return"));
  const shopUrl = await readShopUrl(request.engine, payment, "cancelled");
  return shopUrl === null
    ? pageResponse("resume", 200, { payment, actionUrl: linkTo(request, "pay") })
    : redirectTo(shopUrl);
}
