import { inPackage, type PackageMutant } from "./in-package.ts";
import { coreFile, type Mutant } from "./mutant.ts";

const inMedusa = inPackage("medusa");

/** Rules of core, where Medusa's own tests notice that one is missing. */
function inCore({ file, find, replace = "", test, title, ...mutant }: PackageMutant): Mutant {
  const noticedBy = { file: `packages/medusa/test/${test}.test.ts`, title };
  return { ...mutant, edits: [{ file: coreFile(file), find, replace }], noticedBy };
}

/** The back office compares what the person saw before the decision, and again right before its commit. */
const DECIDE = coreFile("back-office/decide");
const COMPARED = {
  file: DECIDE,
  find: "if (view.seen !== decision.seen || offer === null) return",
  replace: "if (offer === null) return",
};
const COMPARED_AGAIN = {
  file: DECIDE,
  find: "return payment !== null && (await viewPayment(office, payment)).seen === decision.seen;",
  replace: "return payment !== null;",
};

/** Faults of the Medusa plugin that its tests notice. */
export const medusa: readonly Mutant[] = [
  inMedusa({
    id: "medusa-captured-without-order-is-proof",
    breaks: "A paid cart without an order counts as paid: its shopper has neither goods nor a refund.",
    file: "store/paid-by.ts",
    find: `  if (cartId !== null && orderId === null) return { paidBy: null };
`,
    test: "manually-paid-orders",
    title: "a captured payment does not count while its cart has no order",
  }),
  inMedusa({
    id: "medusa-owner-read-as-outside",
    breaks:
      "An order that the owner marks as paid is treated as paid elsewhere, and its only payment is refunded automatically.",
    file: "store/paid-by.ts",
    find: `return isMarkedAsPaid ? "owner" : "unclear";`,
    replace: `return "outside";`,
    test: "manually-paid-orders",
    title: "an order that the owner marks as paid is paid by the owner, with user id and time",
  }),
  inCore({
    id: "medusa-lost-refund-sent-again",
    breaks: "A refund whose answer was lost is sent a second time under the key of the next refund row in Medusa.",
    file: "refunds/refund-payment",
    find: "(isRecorded ? !isRecorded(refund) : isForgotten(refund))",
    replace: "isForgotten(refund)",
    test: "refunds",
    title: "after a refund whose answer was lost, the next click shows that refund and a further click makes a new one",
  }),
  inCore({
    id: "medusa-second-click-refunds",
    breaks: "A double click makes two refunds.",
    file: "store-refunds/repeated-request",
    find: `    if (askedAt < answeredAt + limits.doubleClickMs) throw new RepeatedRequest("refund_repeated");\n`,
    test: "refunds",
    title: "a double click makes one refund, and Medusa shows one",
  }),
  inCore({
    id: "medusa-second-click-counts-from-the-lock",
    breaks: "A second click that waits for a slow service counts as a new decision: the amount is refunded twice.",
    file: "store-refunds/answer-store",
    find: "await storeAnswer(ledger, storeId, refund, clock.now());",
    replace: "await storeAnswer(ledger, storeId, refund, refund.requestedAt);",
    test: "double-clicks",
    title: "the five seconds begin when the first click is answered, also with a 'completed' refund",
  }),
  {
    id: "medusa-stale-page-accepts",
    breaks: "A click on an old page accepts a difference that nobody saw.",
    edits: [COMPARED, COMPARED_AGAIN],
    noticedBy: {
      file: "packages/medusa/test/admin.test.ts",
      title: "an acceptance of a difference that has grown since is refused, and no order is placed",
    },
  },
  {
    id: "medusa-accepts-during-a-refund",
    breaks: "An order is placed as paid although a part of its payment is refunded during the click.",
    edits: [COMPARED_AGAIN],
    noticedBy: {
      file: "packages/medusa/test/admin.test.ts",
      title: "an acceptance is refused when a part of the payment is refunded 'during the click'",
    },
  },
  {
    id: "medusa-stale-page-places",
    breaks:
      "A click on an old page replaces the session of a cart whose shopper is about to pay, although no order is placed.",
    edits: [
      COMPARED,
      {
        file: "packages/medusa/src/admin-api/place-order.ts",
        find: "!cart || !(await decision.stillApplies())",
        replace: "!cart",
      },
    ],
    noticedBy: {
      file: "packages/medusa/test/admin.test.ts",
      title: "an order is not placed when its cart costs something else than the page showed",
    },
  },
  inMedusa({
    id: "medusa-refused-refund-called-done",
    breaks: "Medusa shows a refund that the service refused, and the shopper never gets it.",
    file: "provider/refund.ts",
    find: `  if (answer.kind === "refused") throw refusalError(runtime, payment, answer.why);\n`,
    test: "refunds",
    title: "a refund that the service refuses fails in Medusa, which shows the reason",
  }),
  inMedusa({
    id: "medusa-canceled-order-captured",
    breaks: "A payment is captured on an order that the owner canceled, and is not refunded.",
    file: "store/order.ts",
    find: "return isCanceled || (orderId !== null && (await isOrderCanceled(container, orderId)));",
    replace: "return isCanceled;",
    test: "manually-paid-orders",
    title: "a payment received for a canceled order is refunded and not captured",
  }),
  inMedusa({
    id: "medusa-captured-although-marked-as-paid",
    breaks: "An order that its owner marked as paid is captured a second time.",
    file: "provider/authorize.ts",
    find: `  if (status === "captured") await assertNoOtherPayment(runtime, payment);
`,
    test: "manually-paid-orders",
    title:
      "the payment of an order that its owner marked as paid is never captured, so that Medusa counts the amount once",
  }),
  inMedusa({
    id: "medusa-session-of-another-cart",
    breaks: "A shopper pays a cart with the data of another shopper's paid session.",
    file: "providers/tillkit/index.ts",
    find: "if (input.context?.idempotency_key === payment.attempt) return authorize",
    replace: "if (input.context !== undefined) return authorize",
    test: "paying",
    title: "the data of another cart's paid session does not pay a cart",
  }),
  inMedusa({
    id: "medusa-dashboard-refund-sent-again",
    breaks: "A refund made in the service's dashboard is sent a second time when Medusa records it.",
    file: "provider/refund.ts",
    find: `  if (isRecordOnly(payment.id)) return { data: toPaymentData(payment, data?.paid_with) };
`,
    test: "refunds",
    title: "a refund made in the service's dashboard is recorded in Medusa once and not sent again",
  }),
  inMedusa({
    id: "medusa-confirms-after-sleep",
    breaks: "A worker that slept for a day completes a cart whose money has gone back meanwhile.",
    file: "provider/authorize.ts",
    find: `status === "captured" && isWriteTooLate()`,
    replace: `status === "requires_more" && isWriteTooLate()`,
    test: "late-writes",
    title: "does not confirm the payment to Medusa after the last moment for its write, and the next try does",
  }),
  inMedusa({
    id: "medusa-canceled-although-refund-refused",
    breaks: "An order is canceled although its refund was refused, and the owner is not informed.",
    file: "provider/cancel.ts",
    find: "  else assertAccepted(runtime, payment, answer);\n",
    test: "refunds",
    title: "a cancellation fails when the service refuses the refund, and the next try refunds once",
  }),
  inCore({
    id: "medusa-cancel-over-dispute",
    breaks:
      "An order with a disputed payment can never be canceled, because Medusa asks for money that a dispute holds.",
    file: "store-refunds/request-rest",
    find: "return disputed.minor > 0 && available.minor < counted.minor ? available : counted;",
    replace: "return counted;",
    test: "money-decisions",
    title: "canceling the order refunds what no dispute holds, and the cancellation goes on",
  }),
  {
    id: "medusa-old-page-settles-refund",
    breaks: "A person who looks at an old page says how a refund ended that looks different now.",
    edits: [COMPARED, COMPARED_AGAIN],
    noticedBy: {
      file: "packages/medusa/test/money-decisions.test.ts",
      title: "an answer about a page that has become old is refused, and so is a decision that nobody offers",
    },
  },
  inCore({
    id: "medusa-settled-and-sent-again",
    breaks:
      "A failed refund is sent again and counts as settled in cash at the same time: the shopper gets the money twice.",
    file: "store-refunds/decide-failed-refund",
    find: `  if (answer === "done") return;\n`,
    replace: `  if (answer !== "taken") return;\n`,
    test: "late-refunds",
    title: "a failed refund is not settled while somebody else sends it again",
  }),
  inMedusa({
    id: "medusa-refund-recorded-again-under-its-id",
    breaks:
      "Medusa shows a refund twice that was recorded before the service named it, and its owner refunds too little.",
    file: "adapter/record-refund.ts",
    find: "names.includes(key) || names.includes(refundId)",
    replace: "names.includes(refundId || key)",
    test: "refunds",
    title: "a refund that was recorded under its key is not recorded again once the service has given its id",
  }),
  inMedusa({
    id: "medusa-chosen-again-is-held",
    breaks:
      "A shopper who pays the first page after choosing the method again waits for the owner, although nothing changed.",
    file: "adapter/chosen-again.ts",
    find: "if (!isWaiting || !sessions.some(({ providerId }) => isTillkitProvider(providerId))) return false;",
    replace: "if (sessions !== null) return false;",
    test: "chosen-again",
    title: "pays its order by itself, once, where the cart is as it was",
  }),
  inMedusa({
    id: "medusa-chosen-again-other-items",
    breaks: "A payment for other items of the same price pays the cart without its owner.",
    file: "adapter/chosen-again.ts",
    find: `return title !== "" && named.title.startsWith(title) && (named.description ?? "").startsWith(description);`,
    replace: `return title !== "" && named.title !== description + " ";`,
    test: "chosen-again",
    title: "is held where the cart has other items for the same amount",
  }),
  inMedusa({
    id: "medusa-chosen-again-sold-out",
    breaks: "Medusa refunds a payment of a sold-out item without asking its owner.",
    file: "adapter/chosen-again.ts",
    find: " && !(await isSoldOut(container, cartId));",
    replace: ";",
    test: "chosen-again",
    title: "is held where an item has sold out, and no money goes back without a decision",
  }),
  inMedusa({
    id: "medusa-chosen-again-other-method",
    breaks: "A shopper who changed to cash on delivery has paid by mobile money as well, and nobody looks.",
    file: "adapter/chosen-again.ts",
    find: "!isWaiting || !sessions.some(({ providerId }) => isTillkitProvider(providerId))",
    replace: "!isWaiting",
    test: "chosen-again",
    title: "is held where the shopper has chosen another payment method since",
  }),
  inMedusa({
    id: "medusa-opens-at-each-choice",
    breaks: "Each change of a cart opens a page at the service, which is read for a day.",
    file: "provider/initiate.ts",
    find: "if (input.data?.opens === AT_PAY)",
    replace: "if (input.data?.opens === null)",
    test: "opens-at-pay",
    title: "costs the service no call before the shopper presses Pay, and one page afterwards",
  }),
  inMedusa({
    id: "medusa-confirmed-after-the-last-wait",
    breaks: "A worker that slept while it read how the shopper paid confirms a payment that was refunded meanwhile.",
    file: "provider/authorize.ts",
    find: 'if (status === "captured" && isWriteTooLate())',
    replace: 'if (status === "captured" && isWriteTooLate() && data === null)',
    test: "late-writes",
    title: "does not confirm the payment to Medusa, because the last moment for its write has passed",
  }),
  inMedusa({
    id: "medusa-cancellation-beside-the-lease",
    breaks: "A cancellation and the worker both record the refund of an accepted payment: the order shows it twice.",
    file: "admin-api/refund-before-cancel.ts",
    find: "  await recordRefundWithin(runtime.engine, payment, recorded, pluginLimits.refundWaitMs);",
    replace:
      '  await runtime.store.recordRefund?.({ ...recorded, refundId: sent.refundId ?? "", ref: payment.ref, attempt: payment.attempt, status: "completed" });\n  void recordRefundWithin;\n  void pluginLimits;',
    test: "manually-paid-orders",
    title:
      "canceling the order records the refund of a smaller accepted payment once, although the worker records it at that moment",
  }),
];
