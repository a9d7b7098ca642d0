import { type Mutant, mutant, onlyBy } from "./mutant.ts";

/** Mutants of whose money moved: rows of a restored ledger, a person's choice that the service contradicts, the surplus of a session. */
export const whoseMoney: readonly Mutant[] = [
  onlyBy(
    "packages/core/test/recovery/restored-ledger.test.ts",
    "nothing more is refunded while the service lists the refund with its mark and its amount and without its id, because it may be the forgotten one",
    mutant(
      "row-without-id-ignored",
      "After a restore, a refund that the service lists with our mark and without its id is made a second time.",
      "refunds/sync-refunds",
      'const isStored = row.id !== "" && readAmount(',
      'const isStored = row.id === "" || readAmount(',
    ),
  ),
  onlyBy(
    "packages/core/test/recovery/restored-ledger.test.ts",
    "nothing more is refunded while the service lists the refund with its id alone, because it may be the forgotten one",
    mutant(
      "unreadable-row-blocks-nothing",
      "After a restore, a refund whose row shows neither amount nor mark is made a second time.",
      "refunds/read-before-refund",
      "if (isReadable || mayBeIt)",
      "if (isReadable)",
    ),
  ),
  onlyBy(
    "packages/core/test/store-refunds/request-rest.test.ts",
    "refunds the transaction that paid the order, although its page was paid twice",
    mutant(
      "cancellation-asks-for-everything",
      "The money of a canceled order does not go back, because more is asked for than paid the order.",
      "store-refunds/request-rest",
      "last?.amount ?? available",
      "last?.amount ?? { ...available, minor: equationsOf(payment, movements).reduce((sum, one) => sum + one.available.minor, 0) }",
    ),
  ),
  onlyBy(
    "packages/core/test/movements/second-transaction.test.ts",
    "a refund of the surplus, made here, leaves the order paid, and the order gets a note",
    mutant(
      "surplus-refund-on-the-order",
      "The refund of a further transaction makes a paid order look refunded in the shop.",
      "jobs/store-jobs",
      'if (state === "completed" && isOfFurtherTransaction(',
      'if (state === "failed" && isOfFurtherTransaction(',
    ),
  ),
  onlyBy(
    "packages/core/test/movements/name-transaction.test.ts",
    "a wrong pick ends when a signed event names the transaction: a dispute and a refund of the till's sale leave the order as it is",
    mutant(
      "overruled-choice-stays",
      "A dispute of a till's sale, which a person had chosen by mistake, takes the money of an order.",
      "movements/record-transactions",
      "return isKnown ? transactions.map(toCandidate) : transactions;",
      "return isKnown ? transactions : [...transactions];",
    ),
  ),
  onlyBy(
    "packages/core/test/movements/name-transaction.test.ts",
    "a wrong pick ends when a signed event names the transaction for another order, whose shopper is never refunded instead",
    mutant(
      "other-orders-choice-stays",
      "The refund of an order goes to the shopper of another one, whose transaction a person had chosen by mistake.",
      "movements/record-transactions",
      "if (named.credentialId === credentialId) await",
      "if (named.credentialId !== credentialId) await",
    ),
  ),
  onlyBy(
    "packages/core/test/movements/name-transaction.test.ts",
    "a wrong pick ends when the service names the session of the sale: its dispute leaves the order as it is",
    mutant(
      "stranger-session-is-ours",
      "An event that names a stranger's session counts for an order whose transaction a person had chosen.",
      "deliveries/match-event",
      "const isOfOther = isOurs && ",
      "const isOfOther = !isOurs && ",
    ),
  ),
  onlyBy(
    "packages/core/test/movements/name-transaction.test.ts",
    "not against a session of another order that names the transaction by its code",
    mutant(
      "payer-by-id-only",
      "A transaction that paid another order is chosen again, because its session named it by a code.",
      "movements/record-transactions",
      "?? (code === null ? null : await ledger.find({ transactionId: code }))",
      "?? null",
    ),
  ),
  onlyBy(
    "packages/server/test/operators-money.test.ts",
    "a dispute of a surplus that went back already needs attention, although the order's own money is there",
    mutant(
      "shortfall-of-the-sum-only",
      "A surplus that was refunded and disputed costs its money twice, and nobody is told.",
      "domain/equation",
      "const all = [equationOf(payment, movements), ...equationsOf(payment, movements)];",
      "const all = [equationOf(payment, movements)];",
    ),
  ),
  onlyBy(
    "packages/core/test/disputes/disputed-money.test.ts",
    "a dispute of an unreadable amount, of nothing, or in another currency, counts whole",
    mutant(
      "dispute-of-nothing",
      "Money that a dispute holds is refunded, because its event named the amount zero.",
      "disputes/apply-dispute-event",
      " || amount === 0",
      "",
    ),
  ),
  onlyBy(
    "packages/core/test/deliveries/process-delivery.test.ts",
    "a dispute of a payment that was closed unpaid shows that money arrived, so the payment is judged",
    mutant(
      "closed-and-disputed",
      "A shopper pays late, the bank takes the money back, and the order never shows either.",
      "deliveries/process-delivery",
      'if (isMovement(event) && payment.state === "closed") await judgeSoon(engine, payment);',
      "",
    ),
  ),
  onlyBy(
    "packages/server/test/export-payments.test.ts",
    "a refund that names neither transaction of a payment counts once in the lines",
    mutant(
      "unplaced-refund-in-no-line",
      "An accountant's lines say that more is left than the payment has.",
      "domain/equation",
      "return [unplaced === null ? first : sumOf(first, unplaced), ...others];",
      "return [first, ...others];",
    ),
  ),
  onlyBy(
    "packages/core/test/recovery/restored-ledger.test.ts",
    "a repeated refund is found where the service shows its mark cut after its first half",
    mutant(
      "cut-mark-names-nobody",
      "After a restore, a refund whose mark the service cuts is made a second time.",
      "signing/refund-mark",
      "if (text === undefined) return null;",
      "if (text === undefined || rest === undefined) return null;",
    ),
  ),
  onlyBy(
    "packages/core/test/recovery/restored-ledger.test.ts",
    "two refunds of one payment whose marks are cut stay two refunds",
    mutant(
      "cut-mark-names-one-refund",
      "Two refunds whose marks the service cuts count as one, so more goes back than arrived.",
      "refunds/refund-reading",
      "mark?.isWhole && (refund.mark === mark.text",
      "mark !== null && (refund.mark === mark.text",
    ),
  ),
  onlyBy(
    "packages/core/test/recovery/restored-ledger.test.ts",
    "a repeated refund is found where the service shows its mark with a space before it",
    mutant(
      "space-hides-mark",
      "After a restore, a refund before whose mark the service puts a space is made a second time.",
      "signing/refund-mark",
      '(reason ?? "").trim().toUpperCase()',
      '(reason ?? "").toUpperCase()',
    ),
  ),
  onlyBy(
    "packages/core/test/movements/second-transaction.test.ts",
    "keeps the sum of the second transaction that was read once, where the service later shows it without its sum",
    mutant(
      "row-without-sum-replaces-sum",
      "A second payment of 3,000 becomes one of 5,000 when the service lists it without its sum.",
      "domain/movement",
      "next.amount.minor === 0 || !showsGross",
      "next.amount.minor === 0",
    ),
  ),
];
