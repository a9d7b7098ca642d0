import { type Mutant, mutant } from "./mutant.ts";

const JUDGE = "domain/judge";

/** What an answer that says nothing means, and what the owner has decided in the shop. */
export const reading: readonly Mutant[] = [
  mutant(
    "no-answer-is-a-finding",
    "One 404 about an open session holds the order for money that never arrived, and nobody can pay it any more.",
    JUDGE,
    `if (saysNothing(payment, reading)) return { say: "unreadable", again };`,
    "if (saysNothing(payment, reading)) return judgeCompleted(evidence, payment.session.id);",
  ),
  mutant(
    "review-without-way-out",
    "An order that is held although nobody paid stays held for ever.",
    "domain/payment-states",
    `review:     [       ".",      ".",       "superseded", ".",       "expired", "verified",`,
    `review:     [       ".",      ".",       ".",        ".",         ".",       "verified",`,
  ),
  mutant(
    "unreadable-keeps-the-page",
    "A shopper is sent again and again to a page about which the service answers nothing.",
    "checkout/start-checkout",
    "    live.finding === null &&\n",
  ),
  mutant(
    "old-answer-takes-back",
    "A late answer of before the payment takes back that money arrived, and the order is sold again.",
    JUDGE,
    `id === undefined || status === undefined || (payment.received !== null && status !== "completed")`,
    "id === undefined || status === undefined || payment.id === status",
  ),
  mutant(
    "success-spent-on-one-read",
    "The event of success comes before the session shows it, and the next look is a day away.",
    "checkout/process-delivery",
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
  mutant(
    "by-hand-accepts-anything",
    "An owner took cash and set the order to paid: the next payment counts for it too, and nobody is asked.",
    JUDGE,
    "    isPaidByHand(order) ? paidOutside(order) : null,\n",
  ),
  mutant(
    "by-hand-accepts-the-wrong-one",
    "Two payments of an order are held, and the owner's act is taken for the one that is looked at first.",
    JUDGE,
    '  if (siblings.some(({ state, received }) => received !== null && state !== "refunded")) return null;\n',
  ),
  mutant(
    "by-hand-accepts-strangers",
    "An owner who sets a held order to paid accepts money of another shop or of the test environment with it.",
    JUDGE,
    `  if (difference && difference.code !== "amount_differs") return { say: "mismatch", finding: difference, received };\n`,
  ),
  mutant(
    "amounts-through-floats",
    "An amount of a million million francs comes back from the service with a fraction, and a full refund is refused.",
    "domain/money",
    "const minor = wireAmount * minorUnitsPerWireUnit(currency, unit);",
    "const minor = (wireAmount * (wireAmount * minorUnitsPerWireUnit(currency, unit))) / wireAmount;",
  ),
];
