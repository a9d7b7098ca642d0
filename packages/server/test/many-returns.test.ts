import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";

let merchant: MerchantFixture;
beforeEach(async () => {
  merchant = await openMerchant();
});
afterEach(() => merchant.close());

describe("a shopper who reloads the return page", () => {
  test("sixty reloads of the return page in a minute cause at most eight reads of the service", async () => {
    const { returnPath } = await merchant.startPayment();
    for (let reload = 0; reload < 60; reload += 1) {
      const reads = merchant.service.calls.read();
      expect((await merchant.get(returnPath)).status).toBe(200);
      await Promise.all([merchant.get(returnPath), merchant.get(returnPath)]);
      expect(merchant.service.calls.read() - reads).toBeLessThanOrEqual(1);
      await merchant.clock.advance(1_000);
    }
    expect(merchant.service.calls.read()).toBeGreaterThanOrEqual(5);
    expect(merchant.service.calls.read()).toBeLessThanOrEqual(8);
  });

  test("ten minutes after the first return, reloads cause at most one read of the service in ten minutes", async () => {
    const { returnPath } = await merchant.startPayment();
    await merchant.get(returnPath);
    for (let minute = 0; minute < 11; minute += 1) {
      await merchant.clock.advance(60_000);
      await merchant.get(returnPath);
    }
    const reads = merchant.service.calls.read();
    for (let minute = 0; minute < 60; minute += 1) {
      await merchant.get(returnPath);
      await merchant.clock.advance(60_000);
    }
    expect(merchant.service.calls.read() - reads).toBeGreaterThanOrEqual(5);
    expect(merchant.service.calls.read() - reads).toBeLessThanOrEqual(6);
  });
});
