import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inShopify = inPackage("shopify");

/** Faults of the Shopify app that its tests notice. */
export const shopify: readonly Mutant[] = [
  inShopify({
    id: "shopify-refund-of-the-oldest",
    breaks:
      "A customer gets nothing back, because the refund goes to an older duplicate payment that is refunded already.",
    file: "payment-to-refund.ts",
    find: "  return shownPayment(payments);",
    replace: "  return payments.find(({ state }) => /recorded|verified|refund/.test(state)) ?? null;",
    test: "simulator/sibling-refunds",
    title:
      "a refund in the shop is paid from the payment that the order shows and not from an older refunded duplicate",
  }),
  inShopify({
    id: "shopify-refund-key-dropped",
    breaks:
      "A repeated webhook of a refund in the shop makes a new refund: the customer gets it twice, or the owner reads that it failed.",
    file: "order/pay-shop-refund.ts",
    find: "const key = `shopify-refund:",
    replace: "const key = context.clock.now() + `shopify-refund:",
    test: "simulator/sibling-refunds",
    title: "a late second webhook of a full refund changes nothing and adds no notice",
  }),
  inShopify({
    id: "shopify-refund-currency-not-compared",
    breaks: "A refund of 2,000 francs in the shop is made as 20 euros.",
    file: "order/pay-shop-refund.ts",
    find: "minor > 0 && amounts.every((amount) => amount.currency === currency) ?",
    replace: "minor > 0 ?",
    test: "undecided-refund",
    title: "a refund in the shop in another currency than the payment's pays nothing",
  }),
  inShopify({
    id: "shopify-refund-of-cash",
    breaks: "An amount that the owner refunds in cash is refunded a second time from our payment.",
    file: "order/pay-shop-refund.ts",
    find: `(one.status === "SUCCESS" || one.status === "PENDING") && isByOurGateway(one, gateways),`,
    replace: `(one.status === "SUCCESS" || one.status === "PENDING"),`,
    test: "simulator/owner-decides",
    title: "a refund in the shop of the part that was paid in cash refunds no payment",
  }),
  inShopify({
    id: "shopify-own-refund-paid-again",
    breaks: "A refund that the owner made at the service is made a second time when the shop records it.",
    file: "order/pay-shop-refund.ts",
    find: `if (!amount || (await isMadeByUs(context, request))) return "done";`,
    replace: `if (!amount) return "done";`,
    test: "simulator/owner-decides",
    title: "a refund that the owner made at the service is recorded in the shop once and not paid a second time",
  }),
  inShopify({
    id: "shopify-test-order-by-live-money",
    breaks: "A test order is paid by a live payment, or a real order is shipped for a test payment.",
    file: "order/mark-order-paid.ts",
    find: " || order.environment !== receipt.environment",
    test: "order-payments",
    title: "a payment for an order of another mode records nothing",
  }),
  inShopify({
    id: "shopify-edited-order-booked",
    breaks: "An order whose total changed after its payment was verified is recorded as paid.",
    file: "order/mark-order-paid.ts",
    find: "if (sameMoney(order.total, receipt.total)) return null;",
    replace: "return null;",
    test: "order-payments",
    title: "a payment of an order that was edited after its verification records nothing",
  }),
  inShopify({
    id: "shopify-webhook-hmac-not-checked",
    breaks: "Whoever knows the address of the app sends webhooks in the name of a shop.",
    file: "signatures/webhook-signature.ts",
    find: `return constantTimeEqual(createHmac("sha256", secret).update(bytes).digest("base64"), signature);`,
    replace: `return constantTimeEqual(createHmac("sha256", secret).update(bytes).digest("base64").slice(0, 0), signature.slice(0, 0));`,
    test: "webhooks",
    title: "a webhook with a signature of another body is answered with 401 and stores no row",
  }),
  inShopify({
    id: "shopify-owner-read-as-outside",
    breaks: "An owner marks a held order as paid and ships it, while its only payment is refunded.",
    file: "order/to-order.ts",
    find: `return ours.length === recorded.length ? "owner" : "unclear";`,
    replace: `return "outside";`,
    test: "simulator/owner-decides",
    title:
      "an owner who marks an order with a held payment as paid accepts the payment, and a later refund in the shop is paid from it",
  }),
  inShopify({
    id: "shopify-accepted-is-another",
    breaks: "A payment that the owner accepted by marking the order as paid counts as a duplicate and is refunded.",
    file: "order/mark-order-paid.ts",
    find: "const isSetToPaid = receipt.alreadyPaid === true &&",
    replace: "const isSetToPaid = receipt.alreadyPaid === undefined &&",
    test: "set-to-paid",
    title:
      "the payment that the owner accepted by marking the order as paid is named on it, and no money is recorded again",
  }),
  inShopify({
    id: "shopify-pending-refund-resolved",
    breaks: "The customer reads that the refund is made while the service may still refuse it.",
    file: "offsite/decide-modification.ts",
    find: `if (refund.state === "completed") return { result:`,
    replace: `if (refund.state !== "failed") return { result:`,
    test: "simulator/refunds",
    title: "a refund that the service cannot make is rejected, and a pending refund is resolved only when it is paid",
  }),
];
