import { absorbing } from "./absorbing.ts";
import { ackHonesty } from "./ack-honesty.ts";
import { budget } from "./budget.ts";
import type { Evidence } from "./evidence.ts";
import { exactlyOnce } from "./exactly-once.ts";
import type { Broken, Invariant } from "./invariant.ts";
import { neverWrong } from "./never-wrong.ts";
import { noGhostSession } from "./no-ghost-session.ts";
import { noLoss } from "./no-loss.ts";
import { lastDecisionStands, ownersDecide } from "./owners-decisions.ts";
import { privacy } from "./privacy.ts";
import { refundedOnce, refundOfShownPayment, toldWhatHappened } from "./refunds.ts";
import { visible } from "./visible.ts";
import { waysOn } from "./ways-on.ts";

/** What always holds, whatever fails. The same list for every test that brings about faults. */
export const invariants: readonly Invariant[] = [
  exactlyOnce,
  neverWrong,
  noLoss,
  absorbing,
  noGhostSession,
  ackHonesty,
  budget,
  privacy,
  visible,
  refundedOnce,
  refundOfShownPayment,
  toldWhatHappened,
  waysOn,
  ownersDecide,
  lastDecisionStands,
];

/** Every invariant that the evidence shows to be broken, and how. */
export function brokenInvariants(evidence: Evidence): readonly Broken[] {
  return invariants.flatMap(({ id, broken }) => broken(evidence).map((why) => ({ invariant: id, why })));
}
