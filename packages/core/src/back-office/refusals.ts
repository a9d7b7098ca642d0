import { codeOf } from "../domain/checkout-error.ts";
import { type Equation, mostRefundable } from "../domain/equation.ts";
import type { Refusal } from "../domain/refusal.ts";
import type { Offer, View } from "./decision.ts";

/** Why the engine did not carry a decision out, as a fact; null for an error that is none of the engine's answers. */
export function refusalOf(error: unknown, offer: Offer | null, view: Pick<View, "payment" | "sums">): Refusal | null {
  const { payment } = view;
  const equation = equationOfOffer(offer, view);
  const code = codeOf(error);
  switch (code) {
    case "refund_too_large":
      return { kind: "too_large", most: mostRefundable(equation) };
    case "refund_over_dispute":
      return { kind: "over_dispute", equation };
    case "refund_not_possible":
      return offer?.why ?? { kind: "no_money" };
    case "refund_key_reused":
      return { kind: "key_reused" };
    case "amount_invalid":
    case "currency_not_supported":
      return { kind: "amount_invalid" };
    case "dispute_not_decidable":
      return { kind: "dispute_known" };
    case "review_not_acceptable":
      return payment.state === "review"
        ? { kind: "not_acceptable", finding: payment.finding }
        : { kind: "other_payment_counts" };
    case "ledger_busy":
      return { kind: "busy" };
    case "installation_unknown":
    case "transaction_unknown":
    case "transaction_not_possible":
    case "refund_repeated":
    case "refund_found":
    case "refund_in_doubt":
    case "write_in_flight":
    case "service_unavailable":
      return { kind: code };
    case "refund_refused":
      return { kind: "refused_by_service" };
    default:
      return null;
  }
}

/** The sums of the transaction that an offer is about. */
export function equationOfOffer(offer: Offer | null, { sums }: Pick<View, "sums">): Equation {
  return sums.find(({ transactionId }) => transactionId === offer?.subject) ?? sums[0];
}
