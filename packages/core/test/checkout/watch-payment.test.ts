import { describe, expect, it } from "vitest";
import { confirmForShopper, recordCancel, startCheckout, watchPayment } from "../../src/index.ts";
import { anOrder } from "../fixtures.ts";
import { createSmallWorld } from "./small-world.ts";

describe("a shopper who waits on our page", () => {
  it("a shopper who polls every two seconds for ten minutes costs at most 25 reads, and none afterwards", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    for (let look = 0; look < 600; look += 1) {
      await watchPayment(world.engine, paymentId ?? "");
      await world.clock.advance(2_000);
    }
    expect(world.service.reads.length).toBeGreaterThan(20);
    expect(world.service.reads.length).toBeLessThanOrEqual(25);
  });

  it("a waiting shopper sees a completed payment within seconds", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    await watchPayment(world.engine, paymentId ?? "");
    world.service.pay("session-1");
    await world.clock.advance(2_000);
    await watchPayment(world.engine, paymentId ?? "");
    await world.clock.advance(2_000);
    expect(await watchPayment(world.engine, paymentId ?? "")).toMatchObject({ status: "paid" });
    expect(world.store.paid).toHaveLength(1);
  });

  it("a waiting shopper gets the status from the ledger while the service is down", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    world.service.fail = "down";
    for (let look = 0; look < 5; look += 1) {
      expect(await watchPayment(world.engine, paymentId ?? "")).toMatchObject({ status: "waiting" });
      await world.clock.advance(2_000);
    }
  });

  it("all visitors of a payment share one read within three seconds", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    for (let reload = 0; reload < 5; reload += 1) await confirmForShopper(world.engine, paymentId ?? "");
    expect(world.service.reads).toHaveLength(1);
  });
});

describe("a shopper who presses cancel", () => {
  it("a cancel adds a timeline entry, and the session can still be paid", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    await recordCancel(world.engine, paymentId ?? "");
    await recordCancel(world.engine, paymentId ?? "");
    const story = await world.ledger.timeline({ paymentId: paymentId ?? "" });
    expect(story.filter(({ kind }) => kind === "cancelled")).toHaveLength(1);
    world.service.pay("session-1");
    expect(await confirmForShopper(world.engine, paymentId ?? "")).toMatchObject({ status: "paid" });
  });
});
