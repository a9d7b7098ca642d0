import { explainRefusal } from "@tillkit/core";
import { hasEndedAs } from "@tillkit/core/store-refunds";
import type { RuntimeVendureConfig } from "@vendure/core";
import { currentCheckout } from "../current-checkout.ts";
import { paymentIdOf } from "../order/paid-by.ts";
import { languageOf } from "../texts.ts";
import { currentRecordedRefund } from "./recorded-refund.ts";
import { refundKeyOf } from "./shown-refunds.ts";

/** Vendure does not export this type by its name. */
type RefundProcess = NonNullable<RuntimeVendureConfig["paymentOptions"]["refundProcess"]>[number];

/** Lets a refund of ours end in Vendure only as it ended at the service, whoever ends it. */
export function createRefundGuard(): RefundProcess {
  return {
    // Vendure moves every new refund from Pending to the state that our handler returned. Its own process refuses Pending to Pending.
    transitions: { Pending: { to: ["Pending"], mergeStrategy: "merge" } },
    async onTransitionStart(_from, to, { ctx, refund }) {
      const key = refundKeyOf(refund);
      if (key === null || to === "Pending" || currentRecordedRefund()) return undefined;
      const ledger = currentCheckout()?.ledger;
      const row = { names: [key], paymentId: paymentIdOf(refund.payment) ?? "" };
      const hasEnded = ledger && (await hasEndedAs(ledger, row, to === "Settled" ? "made" : "failed"));
      return hasEnded ? undefined : explainRefusal({ kind: "refund_not_finished" }, languageOf(ctx));
    },
  };
}
