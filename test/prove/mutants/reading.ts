import { alsoBy, type Mutant, mutant, onlyBy } from "./mutant.ts";

const JUDGE = "domain/judge";

/** Mutants of how uninformative answers of the service and the owner's decisions in the shop are judged. */
export const reading: readonly Mutant[] = [
  mutant(
    "no-answer-is-a-finding",
    "One 404 about an open session holds an order that nobody paid, and it can no longer be paid.",
    JUDGE,
    `if (isUninformative(payment, session)) return { status: "unreadable", nextCheckAt };`,
    "if (isUninformative(payment, session)) return judgeCompleted(evidence, payment.session.id);",
  ),
  onlyBy(
    "packages/core/test/verify/unreadable-session.test.ts",
    "a payment under review without money leaves review when the service reports its session as unpaid",
    mutant(
      "review-without-way-out",
      "An order that is held although nobody paid stays held forever.",
      "domain/payment-states",
      `review:     [       ".",      ".",       "superseded", ".",       "expired", "verified",`,
      `review:     [       ".",      ".",       ".",        ".",         ".",       "verified",`,
    ),
  ),
  onlyBy(
    "packages/core/test/verify/unreadable-session.test.ts",
    "an order with an unreadable session can be paid on another page and is not shown as held",
    mutant(
      "unreadable-keeps-the-page",
      "A shopper is sent again and again to a session that the service does not show.",
      "start/start-checkout",
      "    live.finding === null &&\n",
    ),
  ),
  onlyBy(
    "packages/core/test/domain/judge.test.ts",
    "a stale response does not undo that money arrived",
    mutant(
      "old-answer-takes-back",
      "A stale answer from before the payment makes a paid session count as unpaid, and the shopper is asked to pay again.",
      JUDGE,
      `status === undefined || (status !== "completed" && wasCompletedBefore(payment))`,
      `status === undefined || (status !== "completed" && payment.id === "" && wasCompletedBefore(payment))`,
    ),
  ),
  onlyBy(
    "packages/core/test/deliveries/process-delivery.test.ts",
    "a webhook about a held payment leaves one job behind while its order is busy, however long the service does not answer",
    mutant(
      "delivery-adds-jobs",
      "During an outage each retry of a delivery leaves a job behind, and afterwards hundreds of them wait for one order.",
      "deliveries/apply-payment-event",
      "if (!isQueued) await keepEventTransaction",
      "await keepEventTransaction",
    ),
  ),
  onlyBy(
    "packages/core/test/verify/unreadable-session.test.ts",
    "a success event leads to further reads for some minutes, even after the session expired",
    mutant(
      "success-spent-on-one-read",
      "The success event arrives before the session shows the payment, and the next check is a day later.",
      "deliveries/apply-payment-event",
      `const reportsSuccess = event.event === "PAYMENT_SUCCEEDED";`,
      `const reportsSuccess = event.event === "PAYMENT_SUCCEEDED" && payment.id === "";`,
    ),
  ),
  onlyBy(
    "packages/core/test/domain/judge.test.ts",
    "an order marked as paid accepts its only held payment, and the waiver names who and when",
    mutant(
      "by-hand-is-another-payment",
      "An owner marks a held order as paid, and its only payment counts as a duplicate: the shop refunds it and ships the goods.",
      JUDGE,
      `return isLost || shown === payment.id || shown === "owner" || shown === "unclear" ? null : shown;`,
      "return isLost || shown === payment.id ? null : shown;",
    ),
  ),
  alsoBy(
    "packages/core/test/domain/judge.test.ts",
    "a payment that arrives after its order was marked as paid is held",
    mutant(
      "by-hand-accepts-anything",
      "An owner took cash and marked the order as paid. A later payment counts too, and the owner is not asked.",
      "domain/known-payer",
      `  if (!isPaidWithoutNamedPayment(order)) return null;
  const { paidBy`,
      `  if (!isPaidWithoutNamedPayment(order) || order.ref) return null;
  const { paidBy`,
    ),
  ),
  onlyBy(
    "packages/core/test/domain/judge.test.ts",
    "an order marked as paid accepts neither of two held payments",
    mutant(
      "by-hand-accepts-the-wrong-one",
      "Two payments of an order are held. The owner marks the order as paid, and the payment that is verified first counts.",
      JUDGE,
      `  if (siblings.some(({ state, amountReceived }) => amountReceived !== null && state !== "refunded")) return null;
`,
    ),
  ),
  onlyBy(
    "packages/core/test/domain/judge.test.ts",
    "an order marked as paid accepts no session with another reference, environment or currency",
    mutant(
      "by-hand-accepts-strangers",
      "An owner who marks a held order as paid also accepts a payment of another shop or of the test environment.",
      JUDGE,
      `if (serviceFinding && serviceFinding.code !== "amount_differs") return`,
      `if (serviceFinding && serviceFinding.code === "not_verifiable") return`,
    ),
  ),
  onlyBy(
    "packages/core/test/domain/money.test.ts",
    "fromWire reverses toWire up to the largest safe integer",
    mutant(
      "amounts-through-floats",
      "A huge amount in the service's answer gets a fraction, and a full refund is refused.",
      "domain/money",
      "const minor = wireAmount * minorUnitsPerWireUnit(currency, unit);",
      "const minor = (wireAmount * (wireAmount * minorUnitsPerWireUnit(currency, unit))) / wireAmount;",
    ),
  ),
];
