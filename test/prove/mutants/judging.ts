import { coreFile, type Mutant, mutant, onlyBy } from "./mutant.ts";

const JUDGE = "domain/judge";

/** Mutants of the checks that a payment must pass before it counts. */
export const judging: readonly Mutant[] = [
  mutant(
    "amount-unchecked",
    "An order is marked paid although less was paid than it costs.",
    JUDGE,
    "reading.wireAmount === payment.wireAmount",
    "reading.wireAmount !== undefined",
  ),
  mutant(
    "currency-unchecked",
    "An order of 5,000 dollars is marked paid by 5,000 francs.",
    JUDGE,
    `differenceFinding("currency_differs", payment.amountDue.currency, reading.currency),`,
  ),
  mutant(
    "currency-missing",
    "An answer without a currency counts as the right currency.",
    JUDGE,
    `missingFinding("currency", reading.currency),`,
  ),
  {
    id: "amount-missing",
    breaks: "An answer without an amount counts as the right amount.",
    edits: [
      { file: coreFile(JUDGE), find: `missingFinding("amount", reading.wireAmount),`, replace: "" },
      {
        file: coreFile(JUDGE),
        find: "reading.wireAmount === payment.wireAmount",
        replace: "(reading.wireAmount ?? payment.wireAmount) === payment.wireAmount",
      },
    ],
  },
  mutant(
    "reference-unchecked",
    "Another merchant's session pays an order of ours.",
    JUDGE,
    `reading.reference === undefined || reading.reference === payment.reference ? null : { code: "other_reference" },`,
  ),
  mutant(
    "reference-missing",
    "A session without any reference pays an order of ours.",
    JUDGE,
    `missingFinding("reference", reading.reference),`,
  ),
  mutant(
    "environment-unchecked",
    "A test payment pays a real order.",
    JUDGE,
    `differenceFinding("other_environment", payment.environment, reading.environment),`,
  ),
  mutant(
    "account-unchecked",
    "A payment to another shop pays an order of this shop.",
    JUDGE,
    "accountFinding(payment.account, reading.account),",
  ),
  mutant(
    "total-unread",
    "An order that was edited after the session was opened is paid with its old total.",
    JUDGE,
    "sameMoney(order.total, amountDue) ? null",
    "order.paidBy === null ? null",
  ),
  mutant(
    "open-is-paid",
    "Goods are shipped before the shopper has paid.",
    JUDGE,
    `if (session.status === "completed") return`,
    `if (session.status !== "expired") return`,
  ),
  mutant(
    "expired-is-paid",
    "Goods are shipped for an expired session that nobody paid.",
    JUDGE,
    `if (session.status === "completed") return`,
    `if (session.status !== "open") return`,
  ),
  onlyBy(
    "packages/core/test/recovery/recover-payment.test.ts",
    "a lost payment whose money went back is recovered by the list of transactions, and its order stays unpaid",
    mutant(
      "late-payment-without-its-refunds",
      "An order is marked paid with money that went back before the ledger was restored.",
      "verify/verify-payment",
      "wasLate ||= isLate(engine, before);",
      "",
    ),
  ),
  onlyBy(
    "packages/core/test/verify/unreadable-session.test.ts",
    "a payment that nobody could read for four days is paid once the service shows it again",
    mutant(
      "unreadable-is-unpaid",
      "A payment that could not be read until the end of its grace period is given up.",
      "verify/apply-verdict",
      "if (wasReadForLong && isGraceOver(payment, now - limits.unreadableMs))",
      "if (isGraceOver(payment, now))",
    ),
  ),
  onlyBy(
    "packages/core/test/reviews/decide-review.test.ts",
    "an owner who saw an earlier difference does not accept the present one",
    mutant(
      "acceptance-of-what-nobody-saw",
      "An owner's old page accepts a larger difference that the owner never saw.",
      "reviews/accept-review",
      "findingKey(finding) !== acceptance.findingKey",
      "false",
    ),
  ),
  mutant(
    "waiver-waives-all",
    "An owner accepts one difference, and every other difference is accepted with it.",
    JUDGE,
    `finding.code === "paid_outside" || sameFinding(finding, waiver.finding)`,
    `finding.code !== "not_verifiable"`,
  ),
  mutant(
    "part-is-all",
    "After a small refund the whole payment counts as refunded.",
    JUDGE,
    "if (isFullyReturned(payment, movements)) return",
    `if (isFullyReturned(payment, movements) || movements.refunds.some(({ state }) => state === "completed")) return`,
  ),
  mutant(
    "late-success-ignored",
    "A wallet confirms after the session expired: the payment has arrived, but the order is never marked paid.",
    "domain/payment-states",
    `expired:    [       ".",      ".",       ".",       ".",          ".",       "verified",`,
    `expired:    [       ".",      ".",       ".",       ".",          ".",       ".",`,
  ),
  onlyBy(
    "packages/core/test/domain/judge.test.ts",
    "a duplicate that a late write of ours put on its order counts again, also after a part of it went back and the total was changed, unless all of it is going back",
    mutant(
      "shown-duplicate-held",
      "A late write marks an order paid by a duplicate whose total was changed since: the ledger calls it a duplicate for ever.",
      JUDGE,
      ` || payment.state === "duplicate";`,
      ";",
    ),
  ),
  onlyBy(
    "packages/core/test/domain/judge.test.ts",
    "a duplicate that a late write of ours put on its order counts again, also after a part of it went back and the total was changed, unless all of it is going back",
    mutant(
      "shown-duplicate-forgotten",
      "A late write marks an order paid by a duplicate of which a part went back: the ledger calls it a duplicate for ever, and nobody is told.",
      JUDGE,
      "if (paidByOf(order) === payment.id && equationOf(payment, movements).available.minor > 0) return null;",
    ),
  ),
  onlyBy(
    "packages/core/test/stores/group-claims.test.ts",
    "a payment whose money has gone back leaves the group to another payment, unless the store has confirmed it",
    mutant(
      "returned-payment-holds-its-group",
      "A payment that was refunded before Shopify answered holds its group for ever: whoever pays again is called a duplicate.",
      "stores/group-claims",
      " && !isReturned",
    ),
  ),
  onlyBy(
    "packages/core/test/stores/group-claims.test.ts",
    "a payment whose money has gone back leaves the group to another payment, unless the store has confirmed it",
    mutant(
      "confirmed-payment-leaves-its-group",
      "The payment that an order shows is replaced by another one once its money has gone back.",
      "stores/group-claims",
      `claim?.state === "pending" && returned.includes`,
      "claim && returned.includes",
    ),
  ),
  onlyBy(
    "packages/core/test/domain/judge.test.ts",
    "a payment is held when the order's total changed after the redirect, in amount or currency",
    mutant(
      "any-currency-is-the-same",
      "An order in another currency than the one that was paid counts as paid.",
      "domain/money",
      "left.minor === right.minor && left.currency === right.currency",
      "left.minor === right.minor",
    ),
  ),
];
