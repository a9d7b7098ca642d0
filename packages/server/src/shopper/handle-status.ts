import { watchPayment } from "@tillkit/core";
import { serverLimits } from "../limits.ts";
import type { ShopperRequest } from "./shopper-request.ts";
import type { ShopperResponse } from "./shopper-response.ts";
import { shownStatusOf } from "./shown-status.ts";

/**
 * Answers the waiting page from the ledger. While nothing differs from what the page shows, the answer is held for a few seconds, so that
 * the shopper sees a payment as soon as it is recorded. `askInMs`: when the page may ask again. A due read of the service runs in the
 * background.
 */
export async function handleStatus(request: ShopperRequest): Promise<ShopperResponse> {
  const { engine, news, paymentId, shownStatus } = request;
  const { statusHoldMs, statusLookMs, askAgainMs } = serverLimits;
  const listener = shownStatus === null ? null : news.listen(paymentId);
  const until = engine.clock.now() + statusHoldMs;
  try {
    for (;;) {
      const { status } = await shownStatusOf(request, await watchPayment(engine, paymentId));
      const leftMs = until - engine.clock.now();
      if (listener === null) return { kind: "json", status: 200, data: { status, askInMs: statusLookMs } };
      if (status !== shownStatus || leftMs <= 0)
        return { kind: "json", status: 200, data: { status, askInMs: askAgainMs } };
      await listener.changed(Math.min(leftMs, statusLookMs));
    }
  } finally {
    listener?.stop();
  }
}
