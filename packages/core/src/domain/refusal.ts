import type { Equation } from "./equation.ts";
import type { Finding } from "./finding.ts";
import type { Money } from "./money.ts";
import type { PaymentState } from "./payment-states.ts";

/** Why a decision is not offered, or was not carried out. */
export type Refusal =
  | { readonly kind: "viewer" }
  | { readonly kind: "not_held"; readonly state: PaymentState }
  | { readonly kind: "not_acceptable"; readonly finding: Finding | null }
  | { readonly kind: "other_payment_counts" }
  | { readonly kind: "no_money" }
  | { readonly kind: "nothing_left"; readonly equation: Equation }
  /** All that arrived went back. What the shop still counts is the shortfall that its owner accepted. */
  | { readonly kind: "never_arrived"; readonly equation: Equation }
  /** The payment pays its order, and the shop's own page of the order refunds it. */
  | { readonly kind: "refund_in_shop" }
  | { readonly kind: "too_large"; readonly most: Money }
  | { readonly kind: "over_dispute"; readonly equation: Equation }
  | { readonly kind: "transaction_unknown" }
  | { readonly kind: "transaction_known" }
  | { readonly kind: "transaction_not_possible" }
  /** This looks like a copy of the shop, which has all its keys: a person says first whether the shop moved. */
  | { readonly kind: "installation_unknown" }
  | { readonly kind: "refund_in_doubt" }
  /** `from`: milliseconds since 1970. The service may still answer until then. */
  | { readonly kind: "too_early"; readonly from: number }
  | { readonly kind: "dispute_known" }
  | { readonly kind: "key_reused" }
  | { readonly kind: "amount_invalid" }
  | { readonly kind: "reason_missing" }
  /** Another process is changing the payment, the shop is still being told of it, or the service does not answer: try again. */
  | { readonly kind: "busy" | "write_in_flight" | "service_unavailable" }
  /** The same amount was refunded a moment ago, or an earlier request for it was made after all and nobody got its answer. */
  | { readonly kind: "refund_repeated" | "refund_found" }
  /** The service did not answer: the refund may have been made, and is never made twice. */
  | { readonly kind: "refund_unknown" }
  /** The service has not finished the refund, so the shop's own page must not finish it. */
  | { readonly kind: "refund_not_finished" }
  /** The service refused the refund, so no money moved. */
  | { readonly kind: "refused_by_service" }
  /** Of the shop: its cart is gone, changed or sold out. */
  | { readonly kind: "cart_gone" | "sold_out" | "not_placed" };

const RETRYABLE: readonly Refusal["kind"][] = [
  "busy",
  "installation_unknown",
  "refund_in_doubt",
  "write_in_flight",
  "service_unavailable",
];

/** Whether the same request may be carried out in a moment. */
export function isRetryable({ kind }: Refusal): boolean {
  return RETRYABLE.includes(kind);
}
