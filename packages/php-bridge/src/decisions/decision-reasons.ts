import type { Engine, Payment, TimelineEntry } from "@tillkit/core";
import { awaitsAutoRefund } from "@tillkit/core/back-office";

/**
 * Why money of an order waits for a decision of the owner. `closed`: it arrived for an order that is cancelled, in the trash or
 * deleted. `refund_failed`: its refund failed.
 */
export type DecisionReason = "held" | "closed" | "duplicate" | "refund_failed";

/** A payment that may still be refunded automatically waits for no decision. */
export function decisionReasons(
  engine: Pick<Engine, "autoRefund" | "clock">,
  payments: readonly Payment[],
  timeline: readonly TimelineEntry[],
): DecisionReason[] {
  const reasons = payments.filter((payment) => !awaitsAutoRefund(engine, payment, timeline)).map(reasonOf);
  return [...new Set(reasons.filter((reason) => reason !== null))].sort();
}

function reasonOf({ state, finding }: Payment): DecisionReason | null {
  if (state === "duplicate") return "duplicate";
  if (state !== "review" || finding === null) return null;
  if (finding.code === "refund_failed") return "refund_failed";
  return finding.code === "order_not_payable" || finding.code === "order_gone" ? "closed" : "held";
}
