import { describe, expect, it } from "vitest";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { passMinutes, payTwice, startPayment } from "../fixture/steps.ts";

describe("automatic refunds", () => {
  it("a duplicate is refunded once, without a person, when autoRefund covers it", async () => {
    const fixture = createEngineFixture({ autoRefund: ["duplicate"] });
    await payTwice(fixture);
    expect(fixture.service.refunds).toMatchObject([{ wireAmount: 5000 }]);
    expect(new Set(fixture.store.refunds)).toEqual(new Set(["refund-1 5000 completed"]));
    await fixture.expectPaymentIn("refunded");
    await fixture.expectPaymentIn("recorded");
  });

  it("a duplicate is not refunded without autoRefund and waits for the merchant", async () => {
    const fixture = createEngineFixture();
    await payTwice(fixture);
    expect(fixture.service.refunds).toEqual([]);
    await fixture.expectPaymentIn("duplicate");
  });

  it("a payment is refunded automatically when its order was sold out or deleted", async () => {
    for (const isDeleted of [true, false]) {
      const fixture = createEngineFixture({ autoRefund: ["order_gone", "order_not_payable"] });
      await startPayment(fixture);
      fixture.store.order = isDeleted ? null : anOrder({ payable: false });
      fixture.service.pay("session-1");
      await passMinutes(fixture, 5);
      expect(fixture.service.refunds).toMatchObject([{ wireAmount: 5000 }]);
      await fixture.expectPaymentIn("refunded");
    }
  });
});
