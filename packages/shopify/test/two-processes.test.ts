import { createShopifyApp } from "@tillkit/shopify";
import { createSeededRandom } from "@tillkit/testkit";
import { expect, onTestFinished, test } from "vitest";
import { type AppFixture, openAppFixture, saveSettings } from "./app-fixture.ts";

test.each(["order", "offsite"] as const)(
  "every process shows a shop as its owner saved it elsewhere, in %s mode",
  async (mode) => {
    const { fixture, storeInOther } = await openTwoProcesses(mode);
    expect((await storeInOther()).branding?.color).toBeUndefined();
    expect(await storeInOther()).toBe(await storeInOther());
    const gateway = mode === "order" ? { gatewayName: "Mobile money" } : {};
    expect((await saveSettings(fixture, { color: "#0b6b4f", ...gateway })).status).toBe(303);
    expect((await storeInOther()).branding?.color).toBe("#0b6b4f");
  },
);

test("no process knows a shop that was erased elsewhere, and every process knows it when it comes back", async () => {
  const { fixture, storeInOther } = await openTwoProcesses("order");
  await storeInOther();
  expect(await fixture.ledger.eraseStore(fixture.shop.domain)).toMatchObject({ unfinished: 0 });
  await expect(storeInOther()).rejects.toMatchObject({ code: "store_not_known" });
  await fixture.shop.install();
  expect(await storeInOther()).toMatchObject({ platform: "shopify" });
});

async function openTwoProcesses(mode: "order" | "offsite") {
  const fixture: AppFixture = await openAppFixture({ mode });
  onTestFinished(fixture.close);
  const { ledger, clock } = fixture;
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const other = await createShopifyApp(fixture.config, { ledger, clock, log, random: createSeededRandom(8) });
  onTestFinished(() => other.close());
  return { fixture, storeInOther: () => other.checkout.engine.store(fixture.shop.domain) };
}
