import { missingReason, type StoreAdapterHarness } from "./harness.ts";
import { networkRules } from "./network-rules.ts";
import { orderRules } from "./order-rules.ts";
import { payingRules } from "./paying-rules.ts";
import { reviewRules } from "./review-rules.ts";
import type { StoreAdapterRule } from "./rule.ts";

/** Everything that an adapter promises. Needs no test runner: each rule is a title and a function that rejects. */
export const storeAdapterRules: readonly StoreAdapterRule[] = [
  ...orderRules,
  ...payingRules,
  ...networkRules,
  ...reviewRules,
];

/** Why a rule cannot be checked in this shop, null when it can. */
export function skipReason(rule: StoreAdapterRule, harness: StoreAdapterHarness): string | null {
  for (const capability of rule.needs) {
    const reason = missingReason(harness, capability);
    if (reason !== null) return reason;
  }
  return null;
}
