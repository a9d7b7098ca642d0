import type { RuntimeVendureConfig } from "@vendure/core";
import { currentCheckout } from "../current-checkout.ts";
import { paymentIdOf } from "../order/paid-by.ts";
import { languageOf, pluginTexts } from "../texts.ts";
import { refundKeyOf } from "./refund-metadata.ts";

/** Vendure does not export this type by its name. */
type RefundProcess = NonNullable<RuntimeVendureConfig["paymentOptions"]["refundProcess"]>[number];

/**
 * Lets a refund of ours end in Vendure only as it ended at the service. Otherwise an administrator could settle a pending refund that
 * fails later, and Vendure would refuse to refund the money again.
 */
export function createRefundGuard(): RefundProcess {
  return {
    // Vendure moves every new refund from Pending to the state that our handler returned. Its own process refuses Pending to Pending.
    transitions: { Pending: { to: ["Pending"], mergeStrategy: "merge" } },
    async onTransitionStart(_from, to, { ctx, refund }) {
      const key = refundKeyOf(refund);
      if (key === null || to === "Pending") return undefined;
      const refunds = await currentCheckout()?.ledger.refunds(paymentIdOf(refund.payment) ?? "");
      const state = refunds?.find((known) => known.key === key)?.state;
      const hasEnded = to === "Settled" ? state === "completed" : state === "failed";
      return hasEnded ? undefined : pluginTexts(languageOf(ctx)).refundNotFinished;
    },
  };
}
