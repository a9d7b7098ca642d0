import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inMedusa = inPackage("medusa");

/** What the Medusa plugin keeps safe. */
export const medusa: readonly Mutant[] = [
  inMedusa({
    id: "medusa-captured-without-order-is-proof",
    breaks: "A paid cart that became no order counts as paid: its shopper has neither goods nor money.",
    file: "shop/proof.ts",
    find: `  if (cartId !== null && orderId === null) return { paidBy: null };
`,
    test: "set-to-paid",
    title: "money that Medusa captured for a cart that became no order is no proof",
  }),
  inMedusa({
    id: "medusa-owner-read-as-outside",
    breaks:
      "An owner who marks an order as paid, or ships cash on delivery, loses the only money of that order by rule.",
    file: "shop/proof.ts",
    find: `return isSetToPaid ? "owner" : "unclear";`,
    replace: `return "outside";`,
    test: "set-to-paid",
    title: "the owner who marks the rest of an order as paid set it to paid, under their own name and at that time",
  }),
  inMedusa({
    id: "medusa-lost-refund-sent-again",
    breaks: "A refund whose answer was lost is sent a second time under the key of Medusa's next row.",
    file: "provider/refund.ts",
    find: "const lost = isNew ? await withoutRow(till, same) : null;",
    replace: "const lost = null as Refund | null;",
    test: "refunds",
    title: "is shown by Medusa's next row, whenever that is clicked, and the click after that is a new one",
  }),
  inMedusa({
    id: "medusa-second-click-refunds",
    breaks: "A double click gives the money back twice.",
    file: "provider/refund.ts",
    find: `  if (isNew && !lost) await refuseSecondClick(till, payment, amount, same);
`,
    test: "refunds",
    title: "that is clicked twice goes back once, and Medusa shows one",
  }),
  inMedusa({
    id: "medusa-refused-refund-called-done",
    breaks: "Medusa shows a refund that the service refused: the customer waits for money that is still here.",
    file: "provider/refund.ts",
    find: `  throw notAllowed(refund.state === "failed" ? "refundRefused" : "refundUnknown");
`,
    test: "refunds",
    title: "that the service refuses is refused in Medusa, in words",
  }),
  inMedusa({
    id: "medusa-canceled-order-captured",
    breaks: "Money is captured on an order that the owner canceled, and does not go back.",
    file: "shop/order.ts",
    find: "return isCanceled || (orderId !== null && (await isOrderCanceled(container, orderId)));",
    replace: "return isCanceled;",
    test: "set-to-paid",
    title: "an order that was canceled takes no money, and what arrives for its open page goes back",
  }),
  inMedusa({
    id: "medusa-captured-beside-the-owners",
    breaks: "An order that its owner marked as paid is captured a second time.",
    file: "provider/standing.ts",
    find: `  if (status === "captured") await assertNotPaidOtherwise(till, payment);
`,
    test: "set-to-paid",
    title: "is never called captured, so that Medusa books its money once",
  }),
  inMedusa({
    id: "medusa-session-of-another-cart",
    breaks: "A shopper pays a cart with the data of somebody else's paid session.",
    file: "providers/tillkit/index.ts",
    find: "if (input.context?.idempotency_key === payment.attempt) return authorize",
    replace: "if (input.context !== undefined) return authorize",
    test: "paying",
    title: "that holds the data of another cart's paid session is not paid by it",
  }),
  inMedusa({
    id: "medusa-dashboard-refund-sent-again",
    breaks: "A refund that the owner made at the service is sent a second time when Medusa writes it down.",
    file: "provider/refund.ts",
    find: `  if (isBeingWrittenDown(payment.id)) return { data: dataOf(payment) };
`,
    test: "refunds",
    title: "made at the service's dashboard, is written down in Medusa once, and not sent again",
  }),
  inMedusa({
    id: "medusa-cancel-refused-called-done",
    breaks: "An order is canceled, the refund was refused, and nobody is told that the money is still here.",
    file: "provider/cancel.ts",
    find: "assertUnderWay(await giveBackTheRest(till, payment, { known, asked }));",
    replace: "await giveBackTheRest(till, payment, { known, asked });",
    test: "refunds",
    title: "is not called given back when the service refuses, and goes back at the next try, once",
  }),
];
