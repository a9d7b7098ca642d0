import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { logged, shopThatListens } from "../listening-shop.ts";
import { second, startService } from "../service.ts";
import { paidSession, paymentEvents } from "../steps.ts";

describe("Delivery, as the switches spoil it", () => {
  const service = startService();

  it("the direct path: four attempts, 3, 6 and 12 seconds apart, each with a fresh id", async () => {
    const shop = await shopThatListens(service);
    shop.receiver.answer(500);
    await service.during({ delivery: { freshIdPerAttempt: true, attempts: 4, baseDelayMs: 3000 } }, async () => {
      await paidSession(service, shop.call);
      await logged(shop, 1);
      for (const [index, seconds] of [3, 6, 12].entries()) {
        await service.advance(seconds * second);
        await logged(shop, index + 2);
      }
      await service.advance(600 * second);
    });
    const deliveries = await shop.receiver.quiet();
    expect(deliveries).toHaveLength(4);
    expect(new Set(deliveries.map(({ body }) => body.id)).size).toBe(4);
  });

  it("duplicate: an event that was taken comes again", async () => {
    const shop = await shopThatListens(service);
    await service.during({ delivery: { duplicate: 2 } }, async () => {
      await paidSession(service, shop.call);
      await shop.receiver.wait(3);
    });
    expect((await shop.receiver.quiet()).map(({ event }) => event)).toEqual(Array(3).fill("PAYMENT_SUCCEEDED"));
  });

  it("reorder: a later event overtakes an earlier one", async () => {
    const shop = await shopThatListens(service, paymentEvents);
    await service.during({ delivery: { reorder: true } }, async () => {
      await paidSession(service, shop.call);
      for (let tries = 0; tries < 20 && shop.receiver.deliveries.length < 2; tries += 1) await service.advance(second);
      await shop.receiver.wait(2);
    });
    expect(shop.receiver.deliveries.map(({ event }) => event)).toEqual(["PAYMENT_SUCCEEDED", "PAYMENT_CREATED"]);
  });

  it("dropFirst: the first attempts get lost and are retried", async () => {
    const shop = await shopThatListens(service);
    await service.during({ delivery: { dropFirst: 1 } }, async () => {
      await paidSession(service, shop.call);
      await logged(shop, 1);
      expect(shop.receiver.deliveries).toEqual([]);
      await service.advance(5 * second);
      await shop.receiver.wait(1);
    });
  });

  it("tamper: the body is not what was signed", async () => {
    const shop = await shopThatListens(service);
    await service.during({ delivery: { tamper: true } }, async () => {
      await paidSession(service, shop.call);
      await shop.receiver.wait(1);
    });
    const [delivery] = shop.receiver.deliveries;
    const signature = createHmac("sha256", shop.secret)
      .update(delivery?.raw ?? "")
      .digest("hex");
    expect(delivery?.headers["x-service-signature"]).not.toBe(signature);
  });

  it("thinEvents: the session id is left out", async () => {
    const shop = await shopThatListens(service);
    await service.during({ thinEvents: true }, async () => {
      await paidSession(service, shop.call);
      await shop.receiver.wait(1);
    });
    expect(shop.receiver.deliveries[0]?.body.data).not.toHaveProperty("checkout_session_id");
  });
});
