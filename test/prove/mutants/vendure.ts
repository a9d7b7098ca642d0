import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inVendure = inPackage("vendure");

/** Faults of the Vendure plugin that its unit tests notice. The other faults need a real Vendure (`npm run test:vendure`). */
export const vendure: readonly Mutant[] = [
  inVendure({
    id: "vendure-commits-after-sleep",
    breaks: "A worker that slept for a day settles an order whose money has gone back meanwhile.",
    file: "order/write-in-time.ts",
    find: "    bound.assertInTime();\n",
    test: "write-in-time",
    title: "is rolled back when the worker slept before its commit",
  }),
  inVendure({
    id: "vendure-deleted-product-retried",
    breaks: "A paid order whose product was deleted is retried for ever, and nobody is asked to refund the shopper.",
    file: "order/refusals.ts",
    find: `  if (code === "ENTITY_NOT_FOUND") return { kind: "part_missing" };
`,
    test: "refusals",
    title: "an order whose product was deleted is a refusal for a missing part",
  }),
  inVendure({
    id: "vendure-deadlock-held",
    breaks:
      "A paid order is held, or refunded automatically, because of a deadlock that the next attempt would not meet.",
    file: "order/refusals.ts",
    find: `return code === "USER_INPUT_ERROR" ? { kind: "refused_by_platform", code } : null;`,
    replace: `return { kind: "refused_by_platform", code };`,
    test: "refusals",
    title: "a deadlock of the database is no refusal, so the engine tries again",
  }),
  inVendure({
    id: "vendure-authorized-part-ignored",
    breaks:
      "A shopper pays the rest of an order that Vendure does not settle, because another part is only authorized.",
    file: "order/paid-by.ts",
    find: `paymentIdOf(payment) === null && payment.state === "Authorized"`,
    replace: "false",
    test: "refusals",
    title: "a part that another method has authorized and not charged is found, and a charged part is not",
  }),
  inVendure({
    id: "vendure-unsettled-payment-guards",
    breaks: "Any payment row of ours blocks every change of its order, although no money was recorded.",
    file: "order/paid-by.ts",
    find: `payment.state === "Settled" && paymentIdOf(payment) !== null`,
    replace: "paymentIdOf(payment) !== null",
    test: "refusals",
    title: "only a settled payment with our id is settled by us",
  }),
];
