import { coreFile, type Mutant, mutant, onlyBy } from "./mutant.ts";

const OFFERS = "back-office/offers";
const DECIDE = "back-office/decide";
const REPEATED = "back-office/repeated-decision";

/** Mutants of the back office: what a person saw, what is offered to them, and that a decision is made once. */
export const deciding: readonly Mutant[] = [
  onlyBy(
    "packages/core/test/back-office/decide.test.ts",
    "a repeat of what only the shop can do is answered with the result of the first, and a decision about another refund is none",
    mutant(
      "done-by-the-shop-is-forgotten",
      "An owner who placed an order reads that nothing was done, because a job was writing the payment at that moment.",
      REPEATED,
      "return await repeatedInHost(engine, payment, movements, decision);",
      "return null;",
    ),
  ),
  onlyBy(
    "packages/core/test/back-office/decide.test.ts",
    "a repeat of what only the shop can do is answered with the result of the first, and a decision about another refund is none",
    mutant(
      "any-decision-is-the-repeat",
      "A failed refund counts as settled because another refund of the same page was.",
      REPEATED,
      'if (decision.kind === "settledOutside") return `${seen}:${decision.refundKey}:${hash("sha256", decision.reason)}`;\n',
      "",
    ),
  ),
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
  // The page is compared twice: when the decision arrives, and right before its effect is committed.
  {
    id: "decided-unseen",
    breaks: "An owner accepts a difference that no page has ever shown.",
    edits: [
      { file: coreFile(DECIDE), find: "view.seen !== decision.seen || offer === null", replace: "offer === null" },
      {
        file: coreFile(DECIDE),
        find: "payment !== null && (await viewPayment(office, payment)).seen === decision.seen",
        replace: "payment !== null",
      },
    ],
    noticedBy: {
      file: "packages/woocommerce/test/decide.test.ts",
      title: "an acceptance of a difference that has changed since is refused, and nothing is paid",
    },
  },
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
      "isMain && isPaying(payment) && !refundsPaid",
      "isMain && isPaying(payment) && refundsPaid",
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
  onlyBy(
    "packages/core/test/back-office/prepare-refund.test.ts",
    "a refund over a dispute is possible only with the disputed sum that the person confirmed",
    mutant(
      "another-sum-confirmed",
      "A person confirmed one disputed sum, and is told that a refund over a larger one is possible.",
      "back-office/prepare-refund",
      "const isConfirmed = confirmed !== null && sameMoney(confirmed, disputed);",
      "const isConfirmed = confirmed !== null;",
    ),
  ),
  onlyBy(
    "packages/core/test/jobs/dead-jobs.test.ts",
    "a job that another attempt can finish is never ended by hand",
    mutant(
      "stopped-job-ended-unfinished",
      "A click on an old page ends a job that another attempt could have finished, and the shop never shows its refund.",
      "jobs/dead-jobs",
      'if (found !== "by_hand") return found;',
      'if (found === "gone") return found;',
    ),
  ),
];
