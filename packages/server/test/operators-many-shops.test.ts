import { describe, expect, test } from "vitest";
import { openMerchant } from "./fixtures/merchant.ts";
import { logInOperator, OPERATOR_TOKEN } from "./fixtures/operator.ts";
import { openSmallShop } from "./fixtures/small-shop.ts";

const PATHS = ["/operators", "/operators/payments", "/operators/export"] as const;

async function openPagesWithShops(count: number) {
  const others = Array.from({ length: count - 1 }, (_, number) => [`shop-${number}`, openSmallShop()] as const);
  const merchant = await openMerchant({
    options: { operators: { tokens: [OPERATOR_TOKEN] } },
    otherShops: Object.fromEntries(others),
  });
  const operator = await logInOperator(merchant);
  return { merchant, read: async (path: string) => (await operator.open(path)).text() };
}

describe("the choice of a shop", () => {
  test("an operator chooses one of a few shops from a list", async () => {
    const { merchant, read } = await openPagesWithShops(3);
    for (const path of PATHS) expect(await read(path)).toContain('<option value="shop-1">');
    await merchant.close();
  });

  test("the choice of a shop on the overview keeps the chosen period and the mode", async () => {
    const { merchant, read } = await openPagesWithShops(3);
    const page = await read("/operators/test?period=30d");
    const form = /<form class="inline-form".*?<\/form>/s.exec(page)?.[0];
    expect(form).toContain('<input type="hidden" name="period" value="30d">');
    expect(form).toContain('action="/operators/test"');
    await merchant.close();
  });

  test("an operator types the id of a shop when a list of all shops would be too long for a page", async () => {
    const { merchant, read } = await openPagesWithShops(201);
    for (const path of PATHS) {
      const page = await read(`${path}?store=shop-7`);
      expect(page).toMatch(/<input [^>]*name="store" type="text"/);
      expect(page).not.toContain("shop-1");
    }
    expect(await read("/operators/payments?store=shop-7")).toContain('value="shop-7"');
    await merchant.close();
  });
});
