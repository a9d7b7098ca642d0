import { paidStaysPaid } from "./paid-stays-paid.ts";
import { acknowledgedWebhooks } from "./acknowledged-webhooks.ts";
import { callBudget } from "./call-budget.ts";
import type { Evidence } from "./evidence.ts";
import { paidAtMostOnce } from "./paid-at-most-once.ts";
import type { Violation, Invariant } from "./invariant.ts";
import { paidByMatchingPayment } from "./paid-by-matching-payment.ts";
import { oneSessionPerPayment } from "./one-session-per-payment.ts";
import { paidInTime } from "./paid-in-time.ts";
import { newestDecisionShown, ownerDecisionsStand } from "./owner-decisions.ts";
import { privacy } from "./privacy.ts";
import { refundedOnce, refundsShownPayment, recordedRefundsMatch } from "./refunds.ts";
import { findingsVisible } from "./findings-visible.ts";
import { payableAgain } from "./payable-again.ts";

/** What always holds, whatever fails. The same list for every test that brings about faults. */
export const invariants: readonly Invariant[] = [
  paidAtMostOnce,
  paidByMatchingPayment,
  paidInTime,
  paidStaysPaid,
  oneSessionPerPayment,
  acknowledgedWebhooks,
  callBudget,
  privacy,
  findingsVisible,
  refundedOnce,
  refundsShownPayment,
  recordedRefundsMatch,
  payableAgain,
  ownerDecisionsStand,
  newestDecisionShown,
];

/** Every invariant that the evidence shows to be broken, and how. */
export function findViolations(evidence: Evidence): readonly Violation[] {
  return invariants.flatMap(({ id, findViolations }) => findViolations(evidence).map((why) => ({ invariant: id, reason })));
}
