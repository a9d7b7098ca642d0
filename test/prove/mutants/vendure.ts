import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inVendure = inPackage("vendure");

/** Faults of the Vendure plugin that its unit tests notice. The other faults need a real Vendure (`npm run test:vendure`). */
export const vendure: readonly Mutant[] = [
  inVendure({
    id: "vendure-click-counts-from-the-request",
    breaks: "A second click that waits for a slow service counts as a new decision: the amount is refunded twice.",
    file: "refunds/refund-metadata.ts",
    find: `return typeof answeredAt === "number" ? answeredAt : createdAt.getTime();`,
    replace: "return createdAt.getTime();",
    test: "repeated-click",
    title: "a click that arrived before the slow first click was answered is a repeat, whenever the first began",
  }),
  inVendure({
    id: "vendure-second-click-refunds",
    breaks: "A double click makes two refunds.",
    file: "refunds/repeated-click.ts",
    find: `    if (arrivedAt < answeredAt + pluginLimits.doubleClickMs) return "repeated";
`,
    test: "repeated-click",
    title: "a click more than five seconds after the answer is a new decision, and an earlier click is a repeat",
  }),
  inVendure({
    id: "vendure-lost-refund-repeated",
    breaks: "The owner tries a refund whose answer was lost again, as told, and the amount is refunded twice.",
    file: "refunds/repeated-click.ts",
    find: `      return "unanswered";
`,
    replace: `      return null;
`,
    test: "repeated-click",
    title:
      "the first click after a refund whose answer nobody got is told about it, and a later click is a new decision",
  }),
];
