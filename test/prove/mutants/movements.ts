import { alsoBy, type Mutant, mutant, onlyBy } from "./mutant.ts";

const EQUATION = "domain/equation";
const IDENTIFY = "movements/identify-transaction";
const MATCH = "deliveries/match-event";
const PROCESS = "deliveries/process-delivery";
const RECOVER = "recovery/recover-payment";
const REFUND = "refunds/refund-payment";
const MARK = "signing/refund-mark";
const LEARN = "refunds/sync-refunds";
const READING = "refunds/refund-reading";
const RECOVERED = "packages/core/test/recovery/recover-payment.test.ts";
const OTHERS = "packages/core/test/movements/money-of-others.test.ts";

/** Mutants of the rules that tie money to its payment, add it up, and recognize it after the ledger forgot it. */
export const movements: readonly Mutant[] = [
  mutant(
    "resemblance-is-identity",
    "A till's sale of the same amount becomes the transaction of an order, and the order's refund goes to the till's customer.",
    IDENTIFY,
    `return isNamedForUs ? "identity" : "resemblance";`,
    `return isNamedForUs || reading.id !== undefined ? "identity" : "resemblance";`,
  ),
  mutant(
    "candidate-is-certain",
    "A transaction that merely fits a payment is refunded as if it had paid it.",
    "domain/movement",
    `return evidence !== "resemblance";`,
    `return evidence !== null;`,
  ),
  mutant(
    "offered-as-identity",
    "The event of a till's sale names the transaction of every open payment that the sale fits.",
    MATCH,
    `isRead: false, evidence: "resemblance", at };`,
    `isRead: false, evidence: "identity", at };`,
  ),
  mutant(
    "candidate-names-payment",
    "The refund or the dispute of a till's sale is recorded for the order that the sale resembles.",
    "memory-ledger/transactions",
    "named.filter(isCertain).map(",
    "named.map(",
  ),
  mutant(
    "disputes-left-out",
    "Money that a dispute took back is refunded a second time.",
    EQUATION,
    "available: money(received - returned - leaving - disputed)",
    "available: money(received - returned - leaving)",
  ),
  mutant(
    "leaving-left-out",
    "While a refund is pending, the same money is refunded again.",
    EQUATION,
    "available: money(received - returned - leaving - disputed)",
    "available: money(received - returned - disputed)",
  ),
  mutant(
    "returned-left-out",
    "Money that was refunded is refunded again.",
    EQUATION,
    "available: money(received - returned - leaving - disputed)",
    "available: money(received - leaving - disputed)",
  ),
  mutant(
    "open-dispute-is-free",
    "While a dispute is open, its money is refunded too.",
    EQUATION,
    "isOpenDispute(dispute) || isLostDispute(dispute)",
    "isLostDispute(dispute)",
  ),
  mutant(
    "lost-dispute-is-free",
    "Money that a lost dispute took back is refunded too.",
    EQUATION,
    "isOpenDispute(dispute) || isLostDispute(dispute)",
    "isOpenDispute(dispute)",
  ),
  mutant(
    "foreign-dispute-is-nothing",
    "A dispute in another currency, or of an amount that cannot be read, counts as nothing.",
    EQUATION,
    "amount?.currency === currency ? amount.minor : received.minor",
    "amount?.currency === currency ? amount.minor : 0",
  ),
  mutant(
    "closed-dispute-is-won",
    "A dispute that ended without an outcome counts as won, and its money is refunded too.",
    "domain/dispute",
    `return !isOpenDispute({ status }) && outcome !== "won";`,
    `return !isOpenDispute({ status }) && outcome === "lost";`,
  ),
  mutant(
    "over-dispute-unasked",
    "A refund takes money that a dispute may take back, and nobody was asked.",
    "refunds/assert-refundable",
    "if (overDispute !== undefined && sameMoney(overDispute, over.disputed)) return exact;",
    "return exact;",
  ),
  mutant(
    "lost-money-pays",
    "An order is marked paid by money that a lost dispute took back before.",
    "domain/judge",
    `if (takenBack) return { status: "mismatch", finding: takenBack, ...received };`,
  ),
  mutant(
    "forgotten-key-is-new",
    "After a restore, the shop repeats a refund under its key, and the money goes back a second time.",
    REFUND,
    "return mark !== null && isMarkOf(mark, requested, referenceKeys);",
    "return mark !== null && isMarkOf(mark, requested, []);",
  ),
  mutant(
    "refunds-unread-before",
    "A restored ledger refunds without a look at the service's list, and the money goes back a second time.",
    "refunds/read-before-refund",
    "const { isReadable, unstored, forgotten } = await syncRefundsOf(engine, await getPayment(engine, payment.id));",
    'const [isReadable, unstored, forgotten] = [false, [] as { readonly id: string; readonly status: "pending" }[], false];',
  ),
  mutant(
    "mark-of-no-key",
    "All refunds of a payment carry the same mark, so one of them counts as the other.",
    MARK,
    "halfOf(refundText(refundKey), key)}`",
    `halfOf(refundText(""), key)}\``,
  ),
  mutant(
    "mark-in-one-case",
    "A service that changes the case of the reason makes our refunds strangers', and the store shows them twice.",
    MARK,
    `(reason ?? "").trim().toUpperCase()`,
    `(reason ?? "").trim()`,
  ),
  mutant(
    "mark-without-origin",
    "A refund that the store asked for before a restore counts as one of the dashboard, and the store writes it a second time.",
    LEARN,
    `const origin = mark === null || wentTwice ? "service" : mark.origin;`,
    `const origin = mark === null || wentTwice ? "service" : "service";`,
  ),
  alsoBy(
    RECOVERED,
    "a recovered payment that is held, because its order costs more by now, has the refund of before the loss",
    mutant(
      "recovered-without-refunds",
      "A payment that an event brought back lacks its refunds, so they can be made again.",
      RECOVER,
      `, jobOf(payment, { kind: "refund", key: null }, now)];`,
      "];",
    ),
  ),
  mutant(
    "recovered-unjudged",
    "A payment that a refund's event brought back is never judged, and stays superseded although it was paid.",
    RECOVER,
    `signalJob(payment, now), `,
  ),
  mutant(
    "recovered-from-whole-events-only",
    "After a restore, the event of a dispute or a refund that names no session is dropped.",
    RECOVER,
    "if (isWhole || id === undefined) return await recoverPayment(engine, lost, endpoint);",
    "if (isWhole || id !== null) return await recoverPayment(engine, lost, endpoint);",
  ),
  alsoBy(
    RECOVERED,
    "a lost payment is recovered by its webhook, and its order is paid once",
    mutant(
      "recovered-and-dropped",
      "The event that brings a payment back is not applied, so a dispute between a restore and the recovery is lost.",
      PROCESS,
      "if (recovered) return await applyEvent(engine, received, recovered);",
      `if (recovered) return ignore(engine, endpointId, "orphan", recovered.id);`,
    ),
  ),
  onlyBy(
    "packages/core/test/deliveries/process-delivery.test.ts",
    "five sales at a till that name only their transactions cost one read of an open payment each, however often they are reported",
    mutant(
      "candidate-offered-again",
      "A till whose sales are reported again and again uses up the daily calls, so late payments are no longer found.",
      MATCH,
      "if (transaction && (await isStored(engine, transaction))) continue;",
    ),
  ),
  onlyBy(
    "packages/core/test/disputes/disputed-money.test.ts",
    "a person may confirm a refund over the disputed sum that was shown, and over no other sum",
    mutant(
      "over-dispute-of-any-sum",
      "An owner who saw a small dispute confirms a refund over a larger one that was opened since.",
      "refunds/assert-refundable",
      "if (overDispute !== undefined && sameMoney(overDispute, over.disputed)) return exact;",
      "if (overDispute !== undefined) return exact;",
    ),
  ),
  onlyBy(
    OTHERS,
    "the second transaction is shown, and its money can be refunded by itself",
    mutant(
      "refunds-of-others-counted",
      "The refund of a further transaction makes a paid order look refunded.",
      EQUATION,
      "placed.filter((refund) => !isOfOther(refund))",
      "placed",
    ),
  ),
  onlyBy(
    "packages/core/test/refunds/sync-refunds.test.ts",
    "a refund of ours that is shown late is recognized by its stored mark, although this process lacks the key that made it",
    mutant(
      "mark-identifies-nothing",
      "A row with our mark counts as a refund of the dashboard, so the order shows the money as gone twice.",
      READING,
      "const marked = known.filter(isMarked);",
      "const marked = known.filter(() => false);",
    ),
  ),
  onlyBy(
    "packages/core/test/recovery/restored-ledger.test.ts",
    "nothing more is refunded while the service lists a refund with our mark and no amount, because it may be the forgotten one",
    mutant(
      "forgotten-row-without-amount-ignored",
      "After a restore, a refund that the service lists without its amount is made a second time.",
      "refunds/read-before-refund",
      "if (forgotten) {",
      "if (false as boolean) {",
    ),
  ),
];
