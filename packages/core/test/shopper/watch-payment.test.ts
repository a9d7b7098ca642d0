import { describe, expect, it } from "vitest";
import { confirmForShopper, recordCancel, watchPayment } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { startPayment } from "../fixture/steps.ts";

describe("a shopper who waits on our page", () => {
  it("a shopper who polls every two seconds for ten minutes costs at most 25 reads, and none afterwards", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    for (let poll = 0; poll < 600; poll += 1) {
      await watchPayment(fixture.engine, paymentId);
      await fixture.clock.advance(2_000);
    }
    expect(fixture.service.reads.length).toBeGreaterThan(20);
    expect(fixture.service.reads.length).toBeLessThanOrEqual(25);
  });

  it("a waiting shopper sees a completed payment within seconds", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    await watchPayment(fixture.engine, paymentId);
    fixture.service.pay("session-1");
    await fixture.clock.advance(2_000);
    await watchPayment(fixture.engine, paymentId);
    await fixture.clock.advance(2_000);
    expect(await watchPayment(fixture.engine, paymentId)).toMatchObject({ status: "paid" });
    expect(fixture.store.paid).toHaveLength(1);
  });

  it("a waiting shopper gets the status from the ledger while the service is down", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    fixture.service.fail = "down";
    for (let poll = 0; poll < 5; poll += 1) {
      expect(await watchPayment(fixture.engine, paymentId)).toMatchObject({ status: "waiting" });
      await fixture.clock.advance(2_000);
    }
  });

  it("all visitors of a payment share one read within three seconds", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    for (let reload = 0; reload < 5; reload += 1) await confirmForShopper(fixture.engine, paymentId);
    expect(fixture.service.reads).toHaveLength(1);
  });
});

describe("a shopper who presses cancel", () => {
  it("a cancel adds a timeline entry, and the session can still be paid", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    await recordCancel(fixture.engine, paymentId);
    await recordCancel(fixture.engine, paymentId);
    const timeline = await fixture.ledger.timeline({ paymentId });
    expect(timeline.filter(({ kind }) => kind === "cancelled")).toHaveLength(1);
    fixture.service.pay("session-1");
    expect(await confirmForShopper(fixture.engine, paymentId)).toMatchObject({ status: "paid" });
  });
});
