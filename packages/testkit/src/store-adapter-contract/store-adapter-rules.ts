import { missingReason, type StoreAdapterHarness } from "./harness.ts";
import { networkRules } from "./network-rules.ts";
import { orderRules } from "./order-rules.ts";
import { ownerRules } from "./owner-rules.ts";
import { payingRules } from "./paying-rules.ts";
import { refundRules } from "./refund-rules.ts";
import { reviewRules } from "./review-rules.ts";
import { type Rule, type StoreAdapterRule, withAdvice } from "./rule.ts";

/** The rules in groups, each with the page in the documentation of `@tillkit/core` that explains the group. */
const groups: readonly (readonly [page: string, rules: readonly Rule[]])[] = [
  ["quick-start/own-platform.md", [...orderRules, ...payingRules]],
  ["concepts/writes.md", networkRules],
  ["concepts/holds.md", reviewRules],
  ["concepts/refunds.md", refundRules],
  ["guides/pending.md", ownerRules],
];

/** All rules of the adapter contract. They need no test runner: `check` rejects if a rule is violated. */
export const storeAdapterRules: readonly StoreAdapterRule[] = groups.flatMap(([page, rules]) =>
  rules.map((rule) => withAdvice({ ...rule, page: `@tillkit/core/docs/${page}` })),
);

/** Returns why a rule cannot be checked in this shop, or null if the rule can be checked. */
export function skipReason(rule: StoreAdapterRule, harness: StoreAdapterHarness): string | null {
  for (const capability of rule.needs) {
    const reason = missingReason(harness, capability);
    if (reason !== null) return reason;
  }
  return null;
}
