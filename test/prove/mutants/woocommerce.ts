import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inWooCommerce = inPackage("woocommerce");

/** Mutants of the checkout server of WooCommerce shops. */
export const woocommerce: readonly Mutant[] = [
  inWooCommerce({
    id: "woo-owner-is-outside",
    breaks: "The only payment of a held order that its owner set to Processing is refunded as a duplicate.",
    file: "store/paid-by.ts",
    find: `return wasSetToPaid && !otherGateway ? "owner" : "unclear";`,
    replace: `return "outside" as "unclear";`,
    test: "owner-decision",
    title: "an order in Processing with only its status is not read as paid by our payment",
  }),
  inWooCommerce({
    id: "woo-on-hold-with-date-is-owner",
    breaks: "An order that its owner put on hold again counts as accepted, and ships.",
    file: "store/paid-by.ts",
    find: ` || (status === "on-hold" && !isStaleHold(order))) return null;`,
    replace: ") return null;",
    test: "owner-decision",
    title: "an order that its owner put on hold by hand is not treated as a stale hold",
  }),
  inWooCommerce({
    id: "woo-hold-by-stale-read",
    breaks: "A hold reopens an order that the owner has just cancelled.",
    file: "adapter/hold-order.ts",
    find: `  const order = await store.readOrder(ref);
  if (!order || !awaitsPayment(order)) return;
`,
    replace: `  const order = await store.readOrder(ref);
  if (!order) return;
`,
    test: "owner-decision",
    title: "a hold never overwrites a status that the owner sets after our note and before our hold",
  }),
  inWooCommerce({
    id: "woo-late-hold-answer-unread",
    breaks: "An order that its owner set to Processing stays on hold, and nobody ships it.",
    file: "adapter/hold-order.ts",
    find: "if (after && isStaleHold(after)) await restoreOwnerStatus(store, after);",
    test: "owner-decision",
    title: "a hold that is applied after the owner set the order to Processing is undone",
  }),
  inWooCommerce({
    id: "woo-accepted-keeps-hold",
    breaks: "An accepted order stays on hold after a late hold.",
    file: "adapter/mark-paid.ts",
    find: "return isStaleHold(order) ? { status: ownerStatus(order) } : {};",
    replace: "return {};",
    test: "owner-decision",
    title: "a stale hold is undone by the accepted payment, which restores the status of the owner",
  }),
  inWooCommerce({
    id: "woo-accepted-sets-paid-again",
    breaks: "An accepted payment marks an order paid that its owner set back to pending.",
    file: "adapter/mark-paid.ts",
    find: 'throw new StoreError("unavailable", `Order ',
    replace: 'return { outcome: "recorded", evidence: "read-back" }; throw new StoreError("unavailable", `Order ',
    test: "owner-decision",
    title: "an accepted payment is not recorded but verified again if the owner first sets the order back to pending",
  }),
  inWooCommerce({
    id: "woo-old-plugin-believed",
    breaks: "An accepted payment is refunded as a duplicate if the plugin is outdated.",
    file: "adapter/write-by-plugin.ts",
    find: "return isOutdated ? null : toStoreAnswer(data, payment);",
    replace: "return toStoreAnswer(data, payment);",
    test: "owner-decision",
    title: "an accepted payment is recorded by the REST API if the plugin is outdated (auto)",
  }),
  inWooCommerce({
    id: "woo-no-common-deadline",
    breaks: "A write reaches a slow shop after the engine's time limit, and stock is taken twice.",
    file: "transport/deadline.ts",
    find: "const msLeft = Math.min(ms, sendUntil - clock.now());",
    replace: "const msLeft = Math.min(ms, sendUntil);",
    test: "one-deadline",
    title: "a slow shop gets no REST write after the plugin's route has used up the time limit of the call",
  }),
  inWooCommerce({
    id: "woo-refund-first-sibling",
    breaks: "A refund from the order screen refunds another payment than the order shows.",
    file: "calls/handle-refund.ts",
    find: "if (paymentId !== undefined) return payments.find(({ id }) => id === paymentId);",
    replace: "if (paymentId !== undefined) return payments[0];",
    test: "owner-refunds",
    title: "a refund concerns the payment that the order shows if the plugin sends the payment's id",
  }),
  inWooCommerce({
    id: "woo-refund-single-candidate",
    breaks: "A refund from the order screen refunds a payment that the order does not show.",
    file: "calls/handle-refund.ts",
    find: "if (payments.length < 2) return candidates[0];",
    replace: "if (candidates.length < 2) return candidates[0];",
    test: "owner-refunds",
    title: "a refund concerns the payment that the order shows if the plugin sends no id",
  }),
  inWooCommerce({
    id: "woo-refund-of-binned-order",
    breaks: "A refund at the service restores an order from the trash.",
    file: "adapter/record-refund.ts",
    find: `if (isShownPayment && order.status !== "trash") return`,
    replace: "if (isShownPayment) return",
    test: "owner-decision",
    title: "a refund at the service adds a note to a trashed order and leaves it in the trash",
  }),
];
