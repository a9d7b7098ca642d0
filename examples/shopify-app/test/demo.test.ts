import { findShopViolations } from "@tillkit/testkit/shopify";
import { expect, test } from "vitest";
import { buyByItself } from "../src/auto-purchase.ts";
import { openShopifyDemo } from "../src/demo.ts";

test.each(["offsite", "order"] as const)("in %s mode a shopper buys through the real pages", async (mode) => {
  const demo = await openShopifyDemo(mode);
  const told: string[] = [];
  try {
    await buyByItself(demo, (line) => told.push(line));
    expect(told.at(-1)).toBe("Shopify was told that the order is paid.");
    expect(findShopViolations(demo.shop.record)).toEqual([]);
    if (mode === "offsite") expect(told.join("\n")).toContain("Thank you! Your order is confirmed.");
  } finally {
    await demo.close();
  }
});
