import { describe, it } from "vitest";
import type { StoreAdapterHarness } from "./harness.ts";
import { skipReason, storeAdapterRules } from "./store-adapter-rules.ts";

/**
 * Registers every rule of the adapter contract as a test. `makeHarness` creates a new shop for each rule, and another shop at the
 * start, whose capabilities decide which rules are skipped. A skipped test has the reason in its title.
 */
export function storeAdapterContract(name: string, makeHarness: () => Promise<StoreAdapterHarness>): void {
  describe(`${name} keeps the store adapter contract`, async () => {
    const first = await makeHarness();
    const rules = storeAdapterRules.map((rule) => ({ rule, skipped: skipReason(rule, first) }));
    await first.close?.();

    for (const { rule, skipped } of rules) {
      if (skipped === null) it(rule.title, () => inNewShop(makeHarness, (harness) => rule.check(harness)));
      else it.skip(`${rule.title} (skipped: ${skipped})`, () => {});
    }
  });
}

async function inNewShop(
  makeHarness: () => Promise<StoreAdapterHarness>,
  check: (harness: StoreAdapterHarness) => Promise<void>,
): Promise<void> {
  const harness = await makeHarness();
  try {
    await check(harness);
  } finally {
    await harness.close?.();
  }
}
