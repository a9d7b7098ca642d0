import { explainDispute, explainDoubt, explainLostPayment, formatMoney, type Language } from "@tillkit/core";
import { noticeTexts } from "../adapter/notice-texts.ts";
import type { PaymentProblems } from "./payment-problems.ts";

/** One sentence about what a person must do although the payment's state needs no review; null when there is nothing to do. */
export function describeProblem(
  { failedRefunds, isCanceledUnrefunded, failedOwnRefund, money, isLost }: PaymentProblems,
  orderName: string | null,
  language: Language,
): string | null {
  const texts = noticeTexts(language);
  const [failed] = failedRefunds;
  if (failed) return texts.refundFailed(formatMoney(failed.refund.amount, language), orderName);
  if (failedOwnRefund) return texts.ownRefundFailed(formatMoney(failedOwnRefund.amount, language));
  const [doubtful] = money.refundsInDoubt;
  if (doubtful) return explainDoubt(doubtful.amount, language);
  const [dispute] = money.disputesWithoutOutcome;
  if (dispute) return explainDispute(dispute, language);
  if (isLost) return explainLostPayment(money.equation, language);
  return isCanceledUnrefunded ? texts.canceledNotRefunded(orderName ?? "–") : null;
}
