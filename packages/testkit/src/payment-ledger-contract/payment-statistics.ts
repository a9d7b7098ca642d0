import { expect, it } from "vitest";
import { deliveredEvent, given, givenEvent, givenPayments, type LedgerOfTest, line, NOON, payment } from "./samples.ts";

const HOUR = 3_600_000;
const order = (index: number) => ({ storeId: "hats", orderId: `order-${index}` });

export function testPaymentStatistics(ledger: LedgerOfTest): void {
  const period = { from: NOON, until: NOON + 2 * HOUR, bucketMs: HOUR };

  it("payments are counted and summed by hour, mode, currency, state and method, within the period only", async () => {
    await givenPayments(
      ledger(),
      payment("before", { ref: order(0), createdAt: NOON - 1 }),
      payment("p1", { ref: order(1), state: "recorded" }),
      payment("p2", { ref: order(2), state: "recorded", createdAt: NOON + HOUR - 1 }),
      payment("p3", { ref: order(3), state: "closed", createdAt: NOON + HOUR }),
      payment("after", { ref: order(4), createdAt: NOON + 2 * HOUR }),
    );
    await givenEvent(ledger(), "p1", deliveredEvent());
    await givenEvent(ledger(), "p2", deliveredEvent());
    const { groups } = await ledger().paymentStatistics(period);
    const common = { environment: "test", currency: "XOF" };
    expect([...groups].sort((left, right) => left.bucket - right.bucket)).toEqual([
      { ...common, bucket: 0, state: "recorded", method: "WAVE", count: 2, amount: 10_000 },
      { ...common, bucket: 1, state: "closed", method: null, count: 1, amount: 5_000 },
    ]);
  });

  it("statistics of one store do not count the payments of another", async () => {
    await givenPayments(ledger(), payment("p1"), payment("p2", { ref: { storeId: "shoes", orderId: "1" } }));
    const { groups } = await ledger().paymentStatistics({ ...period, storeId: "shoes" });
    expect(groups.map(({ count }) => count)).toEqual([1]);
  });

  it("the time from a success to its order and the delay of its webhook are measured, and are never negative", async () => {
    await givenPayments(
      ledger(),
      payment("p1", { state: "recorded" }),
      payment("p2", { ref: order(2), state: "recorded" }),
    );
    await givenEvent(ledger(), "p1", deliveredEvent({ at: NOON - 400 }));
    await givenEvent(ledger(), "p2", deliveredEvent({ at: NOON + 9 }));
    await given(ledger(), { timeline: [line("recorded", { at: NOON + 100 }), line("recorded", { paymentId: "p2" })] });
    const { orderDelaysMs, webhookDelaysMs } = await ledger().paymentStatistics(period);
    expect([...orderDelaysMs].sort((left, right) => left - right)).toEqual([0, 500]);
    expect([...webhookDelaysMs].sort((left, right) => left - right)).toEqual([0, 400]);
  });
}
