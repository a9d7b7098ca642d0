import { type Dispute, type Equation, formatMoney, type Language, type Money } from "@tillkit/core";
import {
  explainDispute,
  explainDoubt,
  explainLostPayment,
  offerOf,
  refundOffered,
  type View,
} from "@tillkit/core/back-office";
import { noticeTexts } from "../adapter/notice-texts.ts";
import type { ShopFacts } from "./shop-facts.ts";

/** What a person must look at although the payment's state needs no review. */
type Problem =
  /** Medusa shows the refund as made. */
  | { readonly kind: "refund_failed" | "own_refund_failed" | "refund_in_doubt"; readonly amount: Money }
  | { readonly kind: "dispute_undecided"; readonly dispute: Dispute }
  /** Lost disputes took the payment's money back, and its order is not canceled. */
  | { readonly kind: "lost"; readonly sum: Equation }
  /** The payment was refunded because its cart could not be placed, and Medusa shows an order all the same. */
  | { readonly kind: "placed_unpaid"; readonly amount: Money }
  | { readonly kind: "canceled_unrefunded" };

export type ReadPayment = { readonly view: View; readonly shop: ShopFacts };

/** The first thing that a person must look at; null when there is nothing. */
export function findProblem({ view, shop }: ReadPayment): Problem | null {
  const { payment, movements, sum } = view;
  const [failed] = shop.failedRefunds;
  if (failed)
    return { kind: failed.row === null ? "own_refund_failed" : "refund_failed", amount: failed.refund.amount };
  const doubtful = movements.refunds.find(({ key }) => offerOf(view, "looked", key)?.why === null);
  if (doubtful) return { kind: "refund_in_doubt", amount: doubtful.amount };
  const dispute = movements.disputes.find(({ id }) => offerOf(view, "disputeOutcome", id)?.why === null);
  if (dispute) return { kind: "dispute_undecided", dispute };
  if (payment.lostToDispute && !shop.isCanceled) return { kind: "lost", sum };
  if (shop.isPlacedUnpaid) return { kind: "placed_unpaid", amount: payment.amountReceived ?? payment.amountDue };
  return isCanceledUnrefunded({ view, shop }) ? { kind: "canceled_unrefunded" } : null;
}

/** The order was canceled, and neither the service nor Medusa has a refund of what is left. */
export function isCanceledUnrefunded({ view, shop }: ReadPayment): boolean {
  return shop.isCanceledUnrefunded && refundOffered(view) !== null;
}

/**
 * One sentence about the problem and what to do. `orderName`: `#1024`, or null where the payment has no order.
 *
 * @param now in milliseconds since 1970
 */
export function describeProblem(problem: Problem, orderName: string | null, language: Language, now: number): string {
  const texts = noticeTexts(language);
  switch (problem.kind) {
    case "refund_failed":
      return texts.refundFailed(formatMoney(problem.amount, language), orderName);
    case "own_refund_failed":
      return texts.ownRefundFailed(formatMoney(problem.amount, language));
    case "refund_in_doubt":
      return explainDoubt(problem.amount, language);
    case "dispute_undecided":
      return explainDispute(problem.dispute, language, { now });
    case "lost":
      return explainLostPayment(problem.sum, language);
    case "placed_unpaid":
      return texts.placedUnpaid(formatMoney(problem.amount, language), orderName);
    case "canceled_unrefunded":
      return texts.canceledNotRefunded(orderName ?? "–");
  }
}
