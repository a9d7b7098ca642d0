import { exploreStore } from "@tillkit/testkit/explorer";
import { expect, test } from "vitest";
import { openShopUnderTest } from "./shop-under-test.ts";

// Small meetings of webhooks, shoppers and the owner, in every order, with a fault in every request. A violation is a story.
test("ten seconds of every schedule violate no rule about money", { timeout: 600_000 }, async () => {
  expect(await exploreStore(openShopUnderTest, { maxMs: 10_000 })).toEqual([]);
});
