import { coreFile, type Mutant, mutant, onlyBy } from "./mutant.ts";

const JUDGE = "domain/judge";

/** What must be true of a payment before it counts. */
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
    "5,000 dollars are owed and 5,000 francs are enough.",
    JUDGE,
    `different("currency_differs", payment.amountDue.currency, reading.currency),`,
  ),
  mutant(
    "currency-missing",
    "An answer that does not say the currency counts as the right one.",
    JUDGE,
    `missing("currency", reading.currency),`,
  ),
  {
    id: "amount-missing",
    breaks: "An answer that does not say the amount counts as the right one.",
    edits: [
      { file: coreFile(JUDGE), find: `missing("amount", reading.wireAmount),`, replace: "" },
      {
        file: coreFile(JUDGE),
        find: "reading.wireAmount === payment.wireAmount",
        replace: "(reading.wireAmount ?? payment.wireAmount) === payment.wireAmount",
      },
    ],
  },
  mutant(
    "reference-unchecked",
    "A session of somebody else pays an order of ours.",
    JUDGE,
    `different("other_reference", payment.reference, reading.reference),`,
  ),
  mutant(
    "reference-missing",
    "A session without any reference pays an order of ours.",
    JUDGE,
    `missing("reference", reading.reference),`,
  ),
  mutant(
    "environment-unchecked",
    "Play money pays a real order.",
    JUDGE,
    `different("other_environment", payment.environment, reading.environment),`,
  ),
  mutant(
    "account-unchecked",
    "Money that another shop got pays an order of this one.",
    JUDGE,
    `different("other_account", payment.account ?? "the key's own account", reading.account),`,
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
    "Goods leave while the shopper still looks at the page.",
    JUDGE,
    `if (session.status === "completed") return`,
    `if (session.status !== "expired") return`,
  ),
  mutant(
    "expired-is-paid",
    "Goods leave for a page that nobody paid.",
    JUDGE,
    `if (session.status === "completed") return`,
    `if (session.status !== "open") return`,
  ),
  mutant(
    "waiver-waives-all",
    "An owner accepted one difference, and every other one passes with it.",
    JUDGE,
    `finding.code === "paid_outside" || sameFinding(finding, waiver.finding)`,
    `finding.code !== "not_verifiable"`,
  ),
  mutant(
    "part-is-all",
    "After a small refund the whole payment counts as given back.",
    JUDGE,
    "if (returned >= ",
    "if (returned > 0 || returned >= ",
  ),
  mutant(
    "late-success-ignored",
    "A wallet confirms after the page expired: the money is here and the order never paid.",
    "domain/payment-states",
    `expired:    [       ".",      ".",       ".",       ".",          ".",       "verified",`,
    `expired:    [       ".",      ".",       ".",       ".",          ".",       ".",`,
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
