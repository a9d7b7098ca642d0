import { alsoBy, type Mutant, mutant, onlyBy } from "./mutant.ts";

const JUDGE = "domain/judge";

/** What an answer that says nothing means, and what the owner has decided in the shop. */
export const reading: readonly Mutant[] = [
  mutant(
    "no-answer-is-a-finding",
    "One 404 about an open session holds the order for money that never arrived, and nobody can pay it any more.",
    JUDGE,
    `if (isUninformative(payment, session)) return { status: "unreadable", nextCheckAt };`,
    "if (isUninformative(payment, session)) return judgeCompleted(evidence, payment.session.id);",
  ),
  onlyBy(
    "packages/core/test/verify/unreadable-session.test.ts",
    "a payment under review without money leaves review when the service reports its session as unpaid",
    mutant(
      "review-without-way-out",
      "An order that is held although nobody paid stays held for ever.",
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
      "A shopper is sent again and again to a page about which the service answers nothing.",
      "start/start-checkout",
      "    live.finding === null &&\n",
    ),
  ),
  onlyBy(
    "packages/core/test/domain/judge.test.ts",
    "a stale response does not undo that money arrived",
    mutant(
      "old-answer-takes-back",
      "A late answer of before the payment takes back that money arrived, and the order is sold again.",
      JUDGE,
      `status === undefined || (status !== "completed" && wasCompletedBefore(payment))`,
      `status === undefined || (status !== "completed" && payment.id === "" && wasCompletedBefore(payment))`,
    ),
  ),
  mutant(
    "success-spent-on-one-read",
    "The event of success comes before the session shows it, and the next look is a day away.",
    "deliveries/apply-payment-event",
    `const isSuccess = event.event === "PAYMENT_SUCCEEDED" && candidates === 1;`,
    `const isSuccess = event.event === "PAYMENT_SUCCEEDED" && candidates === 0;`,
  ),
  mutant(
    "by-hand-is-another-payment",
    "An owner sets a held order to paid, and its only payment counts as a duplicate: the money goes back while the shop ships.",
    JUDGE,
    `return shown === payment.id || shown === "owner" || shown === "unclear" ? null : shown;`,
    "return shown === payment.id ? null : shown;",
  ),
  alsoBy(
    "packages/core/test/domain/judge.test.ts",
    "a payment that arrives after its order was marked as paid is held",
    mutant(
      "by-hand-accepts-anything",
      "An owner took cash and set the order to paid: the next payment counts for it too, and nobody is asked.",
      JUDGE,
      `  if (!isMarkedPaidByOwner(order)) return null;
  const { paidBy`,
      `  if (!isMarkedPaidByOwner(order) || order.ref) return null;
  const { paidBy`,
    ),
  ),
  onlyBy(
    "packages/core/test/domain/judge.test.ts",
    "an order marked as paid accepts neither of two held payments",
    mutant(
      "by-hand-accepts-the-wrong-one",
      "Two payments of an order are held, and the owner's act is taken for the one that is looked at first.",
      JUDGE,
      `  if (siblings.some(({ state, amountReceived }) => amountReceived !== null && state !== "refunded")) return null;
`,
    ),
  ),
  onlyBy(
    "packages/core/test/domain/judge.test.ts",
    "an order marked as paid accepts no session with another reference, account or environment",
    mutant(
      "by-hand-accepts-strangers",
      "An owner who sets a held order to paid accepts money of another shop or of the test environment with it.",
      JUDGE,
      `if (difference && difference.code !== "amount_differs") return`,
      `if (difference && difference.code === "not_verifiable") return`,
    ),
  ),
  onlyBy(
    "packages/core/test/domain/money.test.ts",
    "fromWire reverses toWire up to the largest safe integer",
    mutant(
      "amounts-through-floats",
      "An amount of a million million francs comes back from the service with a fraction, and a full refund is refused.",
      "domain/money",
      "const minor = wireAmount * minorUnitsPerWireUnit(currency, unit);",
      "const minor = (wireAmount * (wireAmount * minorUnitsPerWireUnit(currency, unit))) / wireAmount;",
    ),
  ),
];
