import { watchPayment } from "@tillkit/core";
import type { ShopperRequest } from "./shopper-request.ts";
import type { ShopperResponse } from "./shopper-response.ts";
import { shownStatusOf } from "./shown-status.ts";

/** Answers the waiting page from the ledger; the page asks every two seconds. A due read of the service runs in the background. */
export async function handleStatus(request: ShopperRequest): Promise<ShopperResponse> {
  const { status } = await shownStatusOf(request, await watchPayment(request.engine, request.paymentId));
  return { kind: "json", status: 200, data: { status } };
}
