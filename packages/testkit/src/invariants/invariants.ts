import { acknowledgedWebhooks } from "./acknowledged-webhooks.ts";
import { storeAgrees } from "./agreement.ts";
import { waitsAreBounded } from "./bounded-waits.ts";
import { callBudget } from "./call-budget.ts";
import type { Evidence } from "./evidence.ts";
import { findingsVisible } from "./findings-visible.ts";
import type { Invariant, Violation } from "./invariant.ts";
import { ledgerRemembers } from "./ledger-memory.ts";
import { identityStands, strangersChangeNothing } from "./money-identity.ts";
import { oneSessionPerPayment } from "./one-session-per-payment.ts";
import { acceptedAsSeen, newestDecisionShown, ownerDecisionsStand } from "./owner-decisions.ts";
import { paidAtMostOnce } from "./paid-at-most-once.ts";
import { paidByMatchingPayment } from "./paid-by-matching-payment.ts";
import { paidInTime } from "./paid-in-time.ts";
import { paidStaysPaid } from "./paid-stays-paid.ts";
import { payableAgain } from "./payable-again.ts";
import { privacy } from "./privacy.ts";
import { refundableMoney } from "./refundable-money.ts";
import { recordedRefundsMatch, refundedOnce, refundsShownPayment } from "./refunds.ts";

/** The invariants that hold whatever fails. Every test that injects faults checks this list. */
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
  acceptedAsSeen,
  identityStands,
  refundableMoney,
  strangersChangeNothing,
  ledgerRemembers,
  storeAgrees,
  waitsAreBounded,
];

/** The invariants that hold also when a participant breaks what exactly-once relies on. */
const WITHOUT_AXIOMS: ReadonlySet<string> = new Set(["I2", "I6", "I8", "M5", "M6"]);

/** Returns every violation that the evidence shows. */
export function findViolations(evidence: Evidence): readonly Violation[] {
  const holding = invariants.filter(({ id }) => evidence.isAxiomBroken !== true || WITHOUT_AXIOMS.has(id));
  return holding.flatMap(({ id, findViolations: check }) =>
    check(evidence).map((reason) => ({ invariant: id, reason })),
  );
}
