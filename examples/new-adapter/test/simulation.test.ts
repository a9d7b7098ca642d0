import { simulate } from "@tillkit/testkit/simulator";
import { expect, test } from "vitest";
import { openShopUnderTest } from "./shop-under-test.ts";

// Shoppers who pay twice or late, an owner who edits and cancels, a shop that is slow or loses answers, processes that die.
test("thirty histories of faults violate no rule about money", { timeout: 600_000 }, async () => {
  expect(await simulate(openShopUnderTest, { seeds: 30 })).toEqual([]);
});
