import type { Payment } from "@tillkit/core";

/**
 * Why money of an order waits for a decision of the owner. `closed`: it arrived for an order that is cancelled, in the trash or
 * deleted. `refund_failed`: its refund failed.
 */
export type DecisionReason = "held" | "closed" | "duplicate" | "refund_failed";

/** @param autoRefund what is refunded automatically: these payments wait for no decision */
export function decisionReasons(payments: readonly Payment[], autoRefund: readonly string[]): DecisionReason[] {
  const reasons = payments.map((payment) => reasonOf(payment, autoRefund));
  return [...new Set(reasons.filter((reason) => reason !== null))].sort();
}

function reasonOf({ state, finding }: Payment, autoRefund: readonly string[]): DecisionReason | null {
  if (state === "duplicate") return autoRefund.includes("duplicate") ? null : "duplicate";
  if (state !== "review" || finding === null) return null;
  if (finding.code === "refund_failed") return "refund_failed";
  if (autoRefund.includes(finding.code)) return null;
  return finding.code === "order_not_payable" || finding.code === "order_gone" ? "closed" : "held";
}
