import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inWooCommerce = inPackage("woocommerce");

/** What the companion of WooCommerce shops keeps safe. */
export const woocommerce: readonly Mutant[] = [
  inWooCommerce({
    id: "woo-owner-is-outside",
    breaks: "The only money of a held order that its owner set to Processing goes back as a duplicate.",
    file: "adapter/paid-by.ts",
    find: `return decided && !otherGateway ? "owner" : "unclear";`,
    replace: `return "outside" as "unclear";`,
    test: "owner-decision",
    title: "with nothing but its status",
  }),
  inWooCommerce({
    id: "woo-on-hold-with-date-is-owner",
    breaks: "An order that its owner put on hold again counts as accepted, and ships.",
    file: "adapter/paid-by.ts",
    find: ` || (status === "on-hold" && !isLateHold(order))) return null;`,
    replace: ") return null;",
    test: "owner-decision",
    title: "stays away from an order that its owner put on hold by hand",
  }),
  inWooCommerce({
    id: "woo-hold-by-stale-read",
    breaks: "A hold undoes that the owner cancelled the order a moment before.",
    file: "adapter/hold-order.ts",
    find: `  const order = await shop.readOrder(ref);
  if (!order || !waitsForMoney(order)) return;
`,
    replace: `  const order = await shop.readOrder(ref);
  if (!order) return;
`,
    test: "owner-decision",
    title: "never changes what the owner sets between our note and our hold",
  }),
  inWooCommerce({
    id: "woo-late-hold-answer-unread",
    breaks: "An order that its owner set to Processing stays on hold, and nobody ships it.",
    file: "adapter/hold-order.ts",
    find: "if (after && isLateHold(after)) await restoreDecision(shop, after);",
    test: "owner-decision",
    title: "that lands after the owner set the order to Processing does not stay",
  }),
  inWooCommerce({
    id: "woo-accepted-keeps-hold",
    breaks: "An accepted order stays on hold after a late hold.",
    file: "adapter/mark-paid.ts",
    find: "return isLateHold(order) ? { status: decidedStatus(order) } : {};",
    replace: "return {};",
    test: "owner-decision",
    title: "is undone by the accepted payment: the status is what the owner had set",
  }),
  inWooCommerce({
    id: "woo-accepted-sets-paid-again",
    breaks: "Accepting an order that its owner took back marks it paid.",
    file: "adapter/mark-paid.ts",
    find: 'throw new StoreError("unavailable", `Order ',
    replace: 'return { outcome: "recorded", evidence: "read-back" }; throw new StoreError("unavailable", `Order ',
    test: "owner-decision",
    title: "is judged again when the owner takes it back to pending before the payment is named",
  }),
  inWooCommerce({
    id: "woo-old-plugin-believed",
    breaks: "A held payment that its owner accepted goes back as a duplicate where the plugin is an older one.",
    file: "adapter/settle-by-plugin.ts",
    find: "return isTooOld ? null : answerOf(read.data, payment);",
    replace: "return answerOf(read.data, payment);",
    test: "owner-decision",
    title: "is not taken at its word: the payment is named by the REST API (auto)",
  }),
  inWooCommerce({
    id: "woo-no-common-deadline",
    breaks: "A shop that was slow is written after the engine stopped counting with it, and stock is taken twice.",
    file: "transport/deadline.ts",
    find: "const left = Math.min(ms, until - clock.now());",
    replace: "const left = Math.min(ms, until);",
    test: "one-deadline",
    title: "is not marked paid by its API after the plugin's route took the time that the engine counts with",
  }),
  inWooCommerce({
    id: "woo-refund-first-sibling",
    breaks: "A refund from the order screen gives back another payment than the order shows.",
    file: "companion/answer-refund.ts",
    find: "if (named !== undefined) return payments.find(({ id }) => id === named);",
    replace: "if (named !== undefined) return payments[0];",
    test: "owner-refunds",
    title: "gives back the money of the payment that the order shows, where the plugin names it",
  }),
  inWooCommerce({
    id: "woo-refund-single-candidate",
    breaks: "A refund from the order screen gives back a payment that the order does not show.",
    file: "companion/answer-refund.ts",
    find: "if (payments.length < 2) return candidates[0];",
    replace: "if (candidates.length < 2) return candidates[0];",
    test: "owner-refunds",
    title:
      "gives back the money of the payment that the order shows, where the plugin does not say, so the shop is asked",
  }),
  inWooCommerce({
    id: "woo-refund-of-binned-order",
    breaks: "A refund at the service takes an order out of the trash.",
    file: "adapter/record-refund.ts",
    find: `if (isShown && order.status !== "trash") return`,
    replace: "if (isShown) return",
    test: "owner-decision",
    title: "is noted, and does not take the order out of the trash",
  }),
];
