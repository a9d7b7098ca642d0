import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inCore = inPackage("core");
const REPEATED = "store-refunds/repeated-request.ts";
const REQUEST = "store-refunds/request-refund";
const BOOKED = "store-refunds/pay-booked-refund";
const ROW_FIRST = "store-refunds/row-first-shop";
const FAILED = "store-refunds/failed-refunds";

/** Faults of the refunds that stores ask for, book, lose or show too long. */
export const storeRefunds: readonly Mutant[] = [
  inCore({
    id: "store-refund-click-counts-from-the-arrival",
    breaks: "A second click that waits for a slow service counts as a new decision: the amount is refunded twice.",
    file: "store-refunds/answer-store.ts",
    find: "await storeAnswer(ledger, storeId, refund, clock.now());",
    replace: "await storeAnswer(ledger, storeId, refund, refund.requestedAt);",
    test: ROW_FIRST,
    title:
      "a refund that is pending for longer is accepted, and five seconds after that answer a click is a new decision",
  }),
  inCore({
    id: "store-refund-second-click-refunds",
    breaks: "A double click makes two refunds.",
    file: REPEATED,
    find: `    if (askedAt < answeredAt + limits.doubleClickMs) throw new RepeatedRequest("refund_repeated");\n`,
    test: REQUEST,
    title: "a click right after the answer is a repeat, and one some seconds later is a new decision",
  }),
  inCore({
    id: "store-refund-lost-one-repeated",
    breaks: "The owner tries a refund whose answer was lost again, as told, and the amount is refunded twice.",
    file: REPEATED,
    find: `if (answeredAt === null) throw new RepeatedRequest("refund_found");`,
    replace: "if (answeredAt === null) continue;",
    test: REQUEST,
    title: "the first click after it was shown without a click is told of it, and the next decision is a new one",
  }),
  inCore({
    id: "store-refund-rolled-back-is-answered",
    breaks:
      "The owner clicks again on a refund that the shop rolled back and shows since, and the amount is refunded twice.",
    file: REPEATED,
    find: "if (answeredAt !== null) await storeAnswer(ledger, storeId, refund, null);",
    test: "store-refunds/missing-refunds",
    title: "a refund that the shop requested and does not show is recorded once, and its owner is told once",
  }),
  inCore({
    id: "store-refund-shown-key-booked-twice",
    breaks: "An order shows one refund twice, after its page died between booking and answer.",
    file: REPEATED,
    find: `    if (row.names.includes(key)) throw new RepeatedRequest("refund_found");\n`,
    test: REQUEST,
    title: "a request under the key of a refund that the shop shows is not booked a second time",
  }),
  inCore({
    id: "store-refund-nameless-row-ignored",
    breaks: "A second refund of the same amount is booked in the shop and never sent.",
    file: "store-refunds/shown-refund.ts",
    find: "if (standsFor) keys.add(standsFor.key);",
    test: REQUEST,
    title: "a row without a name stands for a refund of its amount, so the next request is a new decision",
  }),
  inCore({
    id: "store-refund-shortfall-not-capped",
    breaks: "An order whose owner accepted a smaller payment can never be refunded whole.",
    file: "store-refunds/amount-to-send.ts",
    find: "const minor = Math.min(countedLeft.minor, received.minor - refundedMinor);",
    replace: "const minor = countedLeft.minor;",
    test: REQUEST,
    title: "a refund of all that the shop counts sends back all that arrived",
  }),
  inCore({
    id: "store-refund-pending-ended-early",
    breaks: "A shop shows a pending refund as made, it fails, and the money can never be refunded there.",
    file: "store-refunds/pending-refunds.ts",
    find: "return refund !== undefined && endOf(refund) === as;",
    replace: "return refund !== undefined;",
    test: "store-refunds/pending-refunds",
    title: "a pending refund that completed at the service ends so in the shop, and not before",
  }),
  inCore({
    id: "store-refund-currency-not-compared",
    breaks: "A refund of 2,000 francs in the shop is made as 20 euros.",
    file: "store-refunds/pay-booked-refund.ts",
    find: "if (!owed || amount?.currency !== owed.amountDue.currency)",
    replace: "if (!owed || amount === null)",
    test: BOOKED,
    title: "a booked refund of nothing, or in another currency, sends nothing",
  }),
  inCore({
    id: "store-refund-own-record-paid-again",
    breaks: "A refund that the owner made at the service is made a second time when the shop records it.",
    file: "store-refunds/pay-booked-refund.ts",
    find: "  if (named !== null) return answerForNamed(owed, named, { ...booked, amount });\n",
    test: BOOKED,
    title: "the record of a refund of the service is not paid a second time",
  }),
  inCore({
    id: "store-refund-late-one-paid-again",
    breaks: "A lost refund that the owner made at the service meanwhile goes back to the customer a second time.",
    file: "store-refunds/pay-booked-refund.ts",
    find: `  if (late === "made_at_service") return { kind: "unpaid", payment, why: { kind: late } };
  if (late !== "unpaid")`,
    replace: `  if (late !== "unpaid" && late !== "made_at_service")`,
    test: BOOKED,
    title: "a late booked refund of an amount that was refunded at the service meanwhile is the owner's task",
  }),
  inCore({
    id: "store-refund-of-the-oldest",
    breaks:
      "A customer gets nothing back, because the refund goes to an older duplicate payment that is refunded already.",
    file: "store-refunds/pay-booked-refund.ts",
    find: "  return shownPayment(payments);",
    replace: "  return payments.find(({ state }) => /recorded|verified|refund/.test(state)) ?? null;",
    test: BOOKED,
    title: "a booked refund goes to the payment that the order shows and not to an older duplicate",
  }),
  inCore({
    id: "store-refund-second-process-refunds",
    breaks: "Two clicks that reach two processes of a shop at the same time refund the amount twice.",
    file: "store-refunds/request-refund.ts",
    find: "        await assertNoRepeat(host, payment, request, { known, shown: await rows() });\n",
    test: ROW_FIRST,
    title: "two clicks that reach two processes at the same time make one refund",
  }),
  inCore({
    id: "store-refund-under-way-claimed",
    breaks: "A shop shows one refund twice, because two of its processes asked for it at the same time.",
    file: "refunds/refund-payment.ts",
    find: "return isRecorded?.(settled) ? null : await answerUnderKey(engine, settled, request.key);",
    replace: "return await answerUnderKey(engine, settled, request.key);",
    test: ROW_FIRST,
    title: "a click while the service makes the refund of another process makes no second refund",
  }),
  inCore({
    id: "store-refund-lost-one-claimed-twice",
    breaks:
      "A shop shows a refund whose answer was lost twice, because two of its processes found it at the same time.",
    file: "refunds/refund-payment.ts",
    find: " || stored.otherKeys.length !== refund.otherKeys.length",
    test: ROW_FIRST,
    title: "two clicks that look for one refund whose answer was lost show it once, after 2 reads",
  }),
  inCore({
    id: "store-refund-unpaid-counts-as-shortfall",
    breaks: "A shop shows a refund of a payment that the ledger knows as unpaid, and nothing goes back.",
    file: "store-refunds/amount-to-send.ts",
    find: "amount.minor > 0 && received.minor > 0 ?",
    replace: "amount.minor > 0 ?",
    test: ROW_FIRST,
    title: "a shortfall that the owner accepted is told apart from a payment of which nothing arrived",
  }),
  inCore({
    id: "store-refund-replaced-and-sent-again",
    breaks: "A failed refund that the owner made in the dashboard instead is sent again: the money goes back twice.",
    file: "store-refunds/failed-refunds.ts",
    find: "otherKeys: [...made.otherKeys, nextTryOf(replaced.row, refunds)]",
    replace: "otherKeys: [...made.otherKeys]",
    test: FAILED,
    title: "a refund of its amount in the service's dashboard replaces it, and nobody sends another one",
  }),
  inCore({
    id: "store-refund-repeats-exact-amount-only",
    breaks: "A payment session whose owner accepted less can never be refunded whole.",
    file: "store-refunds/amount-to-send.ts",
    find: `return capped.kind === "amount" ? capped.amount : amount;`,
    replace: "return amount;",
    test: REQUEST,
    title: "a refund of the whole order sends back all that arrived, also when it is asked for again",
  }),
];
