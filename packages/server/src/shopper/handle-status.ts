import { watchPayment } from "@tillkit/core";
import type { ShopperRequest } from "./shopper-request.ts";
import type { ShopperResponse } from "./shopper-response.ts";
import { shownStatusOf } from "./shown-status.ts";

/** Serves the waiting page every two seconds from the ledger. The service is read in the background when that is due. */
export async function handleStatus(request: ShopperRequest): Promise<ShopperResponse> {
  const { status } = await shownStatusOf(request, await watchPayment(request.engine, request.paymentId));
  return { kind: "json", status: 200, data: { status } };
}
