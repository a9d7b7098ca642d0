import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openListeningShop, waitForLogs } from "../listening-shop.ts";
import { second, startService } from "../service.ts";
import { paidSession, paymentEvents } from "../steps.ts";

describe("Delivery with settings that cause faults", () => {
  const service = startService();

  it("freshIdPerAttempt gives each of four attempts, 3, 6 and 12 seconds apart, a fresh id", async () => {
    const shop = await openListeningShop(service);
    shop.receiver.answer(500);
    await service.withSettings({ delivery: { freshIdPerAttempt: true, attempts: 4, baseDelayMs: 3000 } }, async () => {
      await paidSession(service, shop.call);
      await waitForLogs(shop, 1);
      for (const [index, seconds] of [3, 6, 12].entries()) {
        await service.advance(seconds * second);
        await waitForLogs(shop, index + 2);
      }
      await service.advance(600 * second);
    });
    const deliveries = await shop.receiver.waitBriefly();
    expect(deliveries).toHaveLength(4);
    expect(new Set(deliveries.map(({ body }) => body.id)).size).toBe(4);
  });

  it("duplicate sends an accepted event again", async () => {
    const shop = await openListeningShop(service);
    await service.withSettings({ delivery: { duplicate: 2 } }, async () => {
      await paidSession(service, shop.call);
      await shop.receiver.wait(3);
    });
    expect((await shop.receiver.waitBriefly()).map(({ event }) => event)).toEqual(Array(3).fill("PAYMENT_SUCCEEDED"));
  });

  it("reorder delivers a later event before an earlier one", async () => {
    const shop = await openListeningShop(service, paymentEvents);
    await service.withSettings({ delivery: { reorder: true } }, async () => {
      await paidSession(service, shop.call);
      for (let tries = 0; tries < 20 && shop.receiver.deliveries.length < 2; tries += 1) await service.advance(second);
      await shop.receiver.wait(2);
    });
    expect(shop.receiver.deliveries.map(({ event }) => event)).toEqual(["PAYMENT_SUCCEEDED", "PAYMENT_CREATED"]);
  });

  it("dropFirst loses the first attempts, and they are retried", async () => {
    const shop = await openListeningShop(service);
    await service.withSettings({ delivery: { dropFirst: 1 } }, async () => {
      await paidSession(service, shop.call);
      await waitForLogs(shop, 1);
      expect(shop.receiver.deliveries).toEqual([]);
      await service.advance(5 * second);
      await shop.receiver.wait(1);
    });
  });

  it("tamper changes the body after it was signed", async () => {
    const shop = await openListeningShop(service);
    await service.withSettings({ delivery: { tamper: true } }, async () => {
      await paidSession(service, shop.call);
      await shop.receiver.wait(1);
    });
    const [delivery] = shop.receiver.deliveries;
    const signature = createHmac("sha256", shop.secret)
      .update(delivery?.raw ?? "")
      .digest("hex");
    expect(delivery?.headers["x-service-signature"]).not.toBe(signature);
  });

  it("thinEvents omits the session id", async () => {
    const shop = await openListeningShop(service);
    await service.withSettings({ thinEvents: true }, async () => {
      await paidSession(service, shop.call);
      await shop.receiver.wait(1);
    });
    expect(shop.receiver.deliveries[0]?.body.data).not.toHaveProperty("checkout_session_id");
  });
});
