import { type Mutant, mutant, onlyBy } from "./mutant.ts";

const OFFERS = "back-office/offers";
const DECIDE = "back-office/decide";
const REPEATED = "back-office/repeated-decision";

/** Mutants of the back office: what a person saw, what is offered to them, and that a decision is made once. */
export const deciding: readonly Mutant[] = [
  onlyBy(
    "packages/server/test/operators-refunds.test.ts",
    "a confirmation that is sent again later, from the Back button, makes no second refund",
    mutant(
      "decision-sent-again",
      "A confirmation of a refund that is sent again is taken for a decision about an older view, and its result is not shown.",
      REPEATED,
      "refunds.find((refund) => refund.key === key || refund.otherKeys.includes(key))",
      'refunds.find((refund) => refund.key === key && refund.state === "failed")',
    ),
  ),
  onlyBy(
    "packages/woocommerce/test/decide.test.ts",
    "two different refunds of one view send only one of them",
    mutant(
      "two-tabs-refund",
      "Two tabs with the same view refund two amounts, although the owner decided once.",
      DECIDE,
      "await refundPayment(engine, { ...refundRequestOf(view, decision), stillApplies })",
      "await refundPayment(engine, refundRequestOf(view, decision))",
    ),
  ),
  onlyBy(
    "packages/woocommerce/test/decide.test.ts",
    "an acceptance of the view before a refund is refused while the service makes the refund",
    mutant(
      "refund-under-way-unseen",
      "An owner who accepts while somebody refunds a part is told to click again instead of reading what changed.",
      OFFERS,
      "    refunds.map((refund) => [refund.key,",
      '    refunds.filter(({ state: step }) => step !== "requested").map((refund) => [refund.key,',
    ),
  ),
  onlyBy(
    "packages/woocommerce/test/decide.test.ts",
    "an acceptance of a difference that has changed since is refused, and nothing is paid",
    mutant(
      "decided-unseen",
      "An owner accepts a difference that no page has ever shown.",
      DECIDE,
      "view.seen !== decision.seen || offer === null",
      "offer === null",
    ),
  ),
  onlyBy(
    "packages/woocommerce/test/decide.test.ts",
    "a part of a held payment can be refunded, and what remains still waits for a decision",
    mutant(
      "decision-without-view",
      "A part of a payment that the owner refunds a second time on purpose is not refunded.",
      REPEATED,
      "${seen}:${decision.transactionId",
      "${decision.paymentId}:${decision.transactionId",
    ),
  ),
  onlyBy(
    "packages/core/test/back-office/decide.test.ts",
    "a payment that pays its order is refunded in the shop, and a held one here",
    mutant(
      "paid-order-refunded-as-held",
      "A payment that paid its order is refunded as if it were held, and the order still ships.",
      OFFERS,
      "isMain && PAID.includes(payment.state) && !refundsPaid",
      "isMain && PAID.includes(payment.state) && refundsPaid",
    ),
  ),
  onlyBy(
    "packages/core/test/back-office/decide.test.ts",
    "the shop is read again right before a decision: what changed there since stops it",
    mutant(
      "shop-read-once",
      "A refund in doubt is ended about a cart that has changed since the page was opened.",
      DECIDE,
      "await settleRefund(engine, { paymentId, key, wasMade, by, stillApplies })",
      "await settleRefund(engine, { paymentId, key, wasMade, by })",
    ),
  ),
  onlyBy(
    "packages/core/test/back-office/decide.test.ts",
    "a viewer decides nothing, and the owner of one store sees no payment of another",
    mutant(
      "viewer-decides",
      "Somebody who may only look ends refunds, and the owner of one shop decides about another shop's money.",
      DECIDE,
      'if (person.right === "viewer")',
      'if (person.by === "")',
    ),
  ),
];
