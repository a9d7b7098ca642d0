import { describe, expect, it } from "vitest";
import { confirmPayment, limits, refundPayment } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { passTime, startAndPay } from "../fixture/steps.ts";

describe("a refund that fails after the store was told that it is pending", () => {
  it("a store learns that a refund which it requested has failed after all", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    fixture.service.slowRefunds = true;
    const request = { paymentId, key: "click", amount: { minor: 100, currency: "XOF" }, origin: "store" } as const;
    expect(await refundPayment(fixture.engine, request)).toMatchObject({ state: "pending" });
    const [refund] = fixture.service.refunds;
    if (refund) refund.status = "failed";
    await passTime(fixture, { ms: limits.refundCheckMs * 2, stepMs: 60_000 });
    expect(fixture.store.refunds).toEqual(["refund-1 100 failed"]);
    await fixture.expectPaymentIn("recorded");
  });
});
