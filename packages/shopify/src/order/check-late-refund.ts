import { type Money, type Payment, sameMoney, syncRefunds } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { shopifyLimits } from "../limits.ts";
import { hasKey, isMadeByUs, type RefundRequest } from "./shop-refund.ts";

/**
 * Compares a refund of the shop that stayed unpaid for long with the refunds at the service, because somebody may have paid it there
 * meanwhile. After the database was restored from a backup, the app itself may have paid it.
 * @returns `made_at_service`: the service shows a refund of the same amount that is not older; `recorded`: the refund in the shop is
 * the record of a refund at the service; `unpaid`: neither, or the refund is prompt or was requested before
 * @throws CheckoutError `service_unavailable`, `credential_not_known`
 */
export async function checkLateRefund(
  context: Pick<AppContext, "engine" | "ledger" | "clock">,
  request: RefundRequest,
  { payment, amount }: { readonly payment: Payment; readonly amount: Money },
): Promise<"unpaid" | "recorded" | "made_at_service"> {
  const { engine, ledger, clock } = context;
  // A refund without a time may be of any age, so it is compared with all refunds at the service.
  const createdAt = Date.parse(request.refund.createdAt ?? "") || 0;
  if (clock.now() - createdAt < shopifyLimits.promptRefundMs) return "unpaid";
  if ((await ledger.refunds(payment.id)).some((refund) => hasKey(refund, request.key))) return "unpaid";
  const refunds = await syncRefunds(engine, payment.id);
  if (await isMadeByUs(context, request)) return "recorded";
  const isMade = refunds.some(({ origin, state, amount: other, requestedAt }) => {
    // A refund whose time the service does not tell has the time of its payment.
    const isNewEnough =
      requestedAt >= createdAt - shopifyLimits.serviceClockSkewMs || requestedAt === payment.createdAt;
    // Zero: the service reported no exact amount, so this refund may be the one.
    const isSameAmount = other.minor === 0 || sameMoney(other, amount);
    return origin !== "store" && state !== "failed" && isSameAmount && isNewEnough;
  });
  return isMade ? "made_at_service" : "unpaid";
}
