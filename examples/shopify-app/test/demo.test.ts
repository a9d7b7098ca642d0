import { findShopViolations } from "@tillkit/shopify-simulator";
import { expect, test } from "vitest";
import { makePurchase } from "../src/auto-purchase.ts";
import { openShopifyDemo } from "../src/demo.ts";

test.each(["offsite", "order"] as const)("a shopper can buy through the real pages in %s mode", async (mode) => {
  const demo = await openShopifyDemo(mode);
  const lines: string[] = [];
  try {
    await makePurchase(demo, (line) => lines.push(line));
    expect(lines.at(-1)).toBe("The order is paid in Shopify.");
    expect(findShopViolations(demo.shop.record)).toEqual([]);
    if (mode === "order") {
      expect((await demo.shop.install()).text).toContain("boutique de développement");
    }
    expect(await (await fetch(`${demo.shop.origin}/`)).text()).not.toContain("not ready");
    if (mode === "offsite") expect(lines.join("\n")).toContain("Thank you! Your order is confirmed.");
  } finally {
    await demo.close();
  }
});
