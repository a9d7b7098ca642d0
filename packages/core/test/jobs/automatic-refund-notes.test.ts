import { describe, expect, it } from "vitest";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { HOUR, passTime, payTwice, startPayment } from "../fixture/steps.ts";

describe("notes about payments that are refunded automatically", () => {
  it("the merchant is asked to refund a duplicate that nothing refunds automatically", async () => {
    const fixture = createEngineFixture();
    await payTwice(fixture);
    expect([...fixture.store.notes.values()]).toEqual([expect.stringContaining("second")]);
  });

  it("the merchant is never asked to refund a duplicate that is refunded automatically", async () => {
    const fixture = createEngineFixture({ autoRefund: ["duplicate"] });
    await payTwice(fixture);
    expect(fixture.service.refunds).toHaveLength(1);
    expect(fixture.store.notes.size).toBe(0);
  });

  it("the merchant is not asked to decide about a payment of a cancelled order that is refunded automatically", async () => {
    for (const autoRefund of [["order_not_payable"], []] as const) {
      const fixture = createEngineFixture({ autoRefund });
      await startPayment(fixture);
      fixture.store.order = anOrder({ payable: false });
      fixture.service.pay("session-1");
      await passTime(fixture, { ms: 2 * HOUR, stepMs: 10 * 60_000 });
      expect(fixture.service.refunds).toHaveLength(autoRefund.length);
      expect(fixture.store.holds).toHaveLength(1 - autoRefund.length);
    }
  });
});
