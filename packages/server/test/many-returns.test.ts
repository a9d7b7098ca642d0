import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type MerchantWorld, openMerchantWorld } from "./world/merchant-world.ts";

let world: MerchantWorld;
beforeEach(async () => {
  world = await openMerchantWorld();
});
afterEach(() => world.close());

describe("a shopper who reloads the return page", () => {
  test("sixty reloads of the return page in a minute cause at most eight reads of the service", async () => {
    const { returnPath } = await world.startPayment();
    for (let reload = 0; reload < 60; reload += 1) {
      const reads = world.service.calls.read();
      expect((await world.get(returnPath)).status).toBe(200);
      await Promise.all([world.get(returnPath), world.get(returnPath)]);
      expect(world.service.calls.read() - reads).toBeLessThanOrEqual(1);
      await world.clock.advance(1_000);
    }
    expect(world.service.calls.read()).toBeGreaterThanOrEqual(5);
    expect(world.service.calls.read()).toBeLessThanOrEqual(8);
  });

  test("reloads after the watch cause at most one read of the service in ten minutes", async () => {
    const { returnPath } = await world.startPayment();
    await world.get(returnPath);
    for (let minute = 0; minute < 11; minute += 1) {
      await world.clock.advance(60_000);
      await world.get(returnPath);
    }
    const reads = world.service.calls.read();
    for (let minute = 0; minute < 60; minute += 1) {
      await world.get(returnPath);
      await world.clock.advance(60_000);
    }
    expect(world.service.calls.read() - reads).toBeGreaterThanOrEqual(5);
    expect(world.service.calls.read() - reads).toBeLessThanOrEqual(6);
  });
});
