import type { Equation } from "@tillkit/core";
import { balance } from "@tillkit/core/ledger";
import { expect, it } from "vitest";
import {
  commit,
  deliveredEvent,
  dispute,
  type GetLedger,
  givenEvent,
  givenPayments,
  NOON,
  payment,
  refund,
  timelineEntry,
  transaction,
} from "./samples.ts";

const HOUR = 3_600_000;
const xof = (minor: number) => ({ minor, currency: "XOF" });
const sums = (received: number, left: Partial<Record<"returned" | "leaving" | "disputed", number>> = {}) =>
  balance(null, "XOF", { received, returned: 0, leaving: 0, disputed: 0, ...left });
const order = (index: number) => ({ storeId: "hats", orderId: `order-${index}` });

export function testPaymentStatistics(getLedger: GetLedger): void {
  /** Two hours. `bars`: the times at which the bars of a chart begin. */
  const period = { bars: [NOON, NOON + HOUR], until: NOON + 2 * HOUR };

  it("payments are counted and summed by hour, environment, currency, state and method, within the period only", async () => {
    await givenPayments(
      getLedger(),
      payment("before", { ref: order(0), createdAt: NOON - 1 }),
      payment("p1", { ref: order(1), state: "recorded" }),
      payment("p2", { ref: order(2), state: "recorded", createdAt: NOON + HOUR - 1 }),
      payment("p3", { ref: order(3), state: "closed", createdAt: NOON + HOUR }),
      payment("after", { ref: order(4), createdAt: NOON + 2 * HOUR }),
    );
    await givenEvent(getLedger(), "p1", deliveredEvent());
    await givenEvent(getLedger(), "p2", deliveredEvent());
    const { groups } = await getLedger().paymentStatistics(period);
    const common = { environment: "test", currency: "XOF" };
    expect([...groups].sort((left, right) => left.bar - right.bar)).toEqual([
      { ...common, bar: 0, state: "recorded", method: "WAVE", count: 2, equation: sums(10_000) },
      { ...common, bar: 1, state: "closed", method: null, count: 1, equation: sums(0) },
    ]);
  });

  it("statistics of one store do not count the payments of another store", async () => {
    await givenPayments(getLedger(), payment("p1"), payment("p2", { ref: { storeId: "shoes", orderId: "1" } }));
    const { groups } = await getLedger().paymentStatistics({ ...period, storeId: "shoes" });
    expect(groups.map(({ count }) => count)).toEqual([1]);
  });

  it("statistics of one environment measure and count nothing of the other", async () => {
    await givenPayments(
      getLedger(),
      payment("p1", { state: "recorded" }),
      payment("p2", { ref: order(2), state: "recorded", environment: "live" }),
    );
    await givenEvent(getLedger(), "p1", deliveredEvent({ at: NOON - 400 }));
    await givenEvent(getLedger(), "p2", deliveredEvent({ at: NOON - 7 }));
    await commit(getLedger(), {
      timeline: [timelineEntry("recorded"), timelineEntry("recorded", { paymentId: "p2" })],
    });
    const live = await getLedger().paymentStatistics({ ...period, environment: "live" });
    expect(live.groups.map(({ environment, count }) => [environment, count])).toEqual([["live", 1]]);
    expect([live.orderDelaysMs, live.webhookDelaysMs]).toEqual([[7], [7]]);
  });

  it("a payment counts once, in its newest state only", async () => {
    const open = payment("p1", { state: "open" });
    await givenPayments(getLedger(), open);
    await givenEvent(getLedger(), "p1", deliveredEvent());
    for (const [version, state] of [
      [2, "verified"],
      [3, "recorded"],
      [4, "refunded"],
    ] as const) {
      await commit(getLedger(), { payment: { next: { ...open, state, version }, expect: version - 1 } });
      // A commit that is rejected as stale counts nothing.
      await getLedger().commit({ payment: { next: { ...open, version: 2 }, expect: 1 }, timeline: [] });
      const { groups } = await getLedger().paymentStatistics(period);
      expect(groups).toEqual([
        { bar: 0, environment: "test", currency: "XOF", state, method: "WAVE", count: 1, equation: sums(5_000) },
      ]);
    }
  });

  it("the sums are those of the equations: surplus, refunds and disputes of one commit or another count at once", async () => {
    const other = payment("p2", { ref: order(2), state: "recorded" });
    await givenPayments(getLedger(), payment("p1", { ref: order(1), state: "recorded" }), other);
    await commit(getLedger(), { transactions: [transaction("t1"), transaction("t2", { amount: xof(4_000) })] });
    expect(await sumsOfPeriod()).toEqual([sums(14_000)]);
    const made = refund("r1", { state: "completed", amount: xof(1_000) });
    await commit(getLedger(), { refunds: [made, refund("r2", { amount: xof(500) })] });
    expect(await sumsOfPeriod()).toEqual([sums(14_000, { returned: 1_000, leaving: 500 })]);
    const open = dispute("d1", { paymentId: "p2", amount: xof(5_000) });
    await commit(getLedger(), { disputes: [open], payment: { next: { ...other, version: 2 }, expect: 1 } });
    expect(await sumsOfPeriod()).toEqual([sums(14_000, { returned: 1_000, leaving: 500, disputed: 5_000 })]);
    const lost = { ...open, status: "closed", outcome: "lost", updatedAt: NOON + 1 } as const;
    await commit(getLedger(), { disputes: [lost], refunds: [refund("r2", { state: "failed", amount: xof(500) })] });
    expect(await sumsOfPeriod()).toEqual([sums(14_000, { returned: 1_000, disputed: 5_000 })]);
    await commit(getLedger(), { disputes: [{ ...lost, outcome: "won", updatedAt: NOON + 2 }] });
    expect(await sumsOfPeriod()).toEqual([sums(14_000, { returned: 1_000 })]);
  });

  it("a payment that received another currency than its order asked counts in the currency that it received", async () => {
    const held = payment("p1", { state: "review", amountReceived: { minor: 800, currency: "EUR" } });
    await givenPayments(getLedger(), held);
    for (const bars of [period.bars, [NOON, NOON + 1]]) {
      const { groups } = await getLedger().paymentStatistics({ ...period, bars });
      expect(groups).toMatchObject([{ currency: "EUR", count: 1, equation: { received: held.amountReceived } }]);
    }
  });

  it("a payment under review that turns out to be unpaid counts no money any longer", async () => {
    const held = payment("p1", { state: "review" });
    await givenPayments(getLedger(), held);
    expect(await sumsOfPeriod()).toEqual([sums(5_000)]);
    await commit(getLedger(), { payment: { next: { ...held, state: "superseded", version: 2 }, expect: 1 } });
    expect(await sumsOfPeriod()).toEqual([sums(0)]);
  });

  async function sumsOfPeriod(): Promise<readonly Equation[]> {
    const [whole, cut] = await Promise.all([
      getLedger().paymentStatistics(period),
      // Bars that begin within an hour are counted from the payments themselves.
      getLedger().paymentStatistics({ bars: [NOON, NOON + 1], until: NOON + HOUR }),
    ]);
    expect(cut.groups.map(({ equation }) => equation)).toEqual(whole.groups.map(({ equation }) => equation));
    return whole.groups.map(({ equation }) => equation);
  }

  it("the bars of a chart may begin within an hour and have any length, because days of some time zones do", async () => {
    const HALF_HOUR = HOUR / 2;
    // Around the beginning of each bar, and the end of the period. The last payment is no longer in the period.
    const times = [
      -1,
      0,
      HALF_HOUR,
      2 * HOUR + HALF_HOUR - 1,
      2 * HOUR + HALF_HOUR,
      26 * HOUR,
      26 * HOUR + HALF_HOUR - 1,
      26 * HOUR + HALF_HOUR,
    ];
    const bars = [NOON - HALF_HOUR, NOON + 2 * HOUR + HALF_HOUR, NOON + 26 * HOUR, NOON + 26 * HOUR + 60_000];
    await givenPayments(
      getLedger(),
      ...times.map((time, index) => payment(`p${index}`, { ref: order(index), createdAt: NOON + time })),
    );
    const { groups } = await getLedger().paymentStatistics({ bars, until: NOON + 26 * HOUR + HALF_HOUR });
    const counts = bars.map((_, bar) => groups.find((group) => group.bar === bar)?.count ?? 0);
    expect(counts).toEqual([4, 1, 1, 1]);
  });

  it("payments of an erased store are no longer counted", async () => {
    await givenPayments(
      getLedger(),
      payment("p1", { state: "recorded" }),
      payment("p2", { ref: { storeId: "shoes", orderId: "1" }, state: "recorded" }),
    );
    await getLedger().eraseStore("hats");
    const { groups } = await getLedger().paymentStatistics(period);
    expect(groups.map(({ count }) => count)).toEqual([1]);
    expect((await getLedger().paymentStatistics({ ...period, storeId: "hats" })).groups).toEqual([]);
  });

  it("the time from a payment's success to its paid order and the delay of its webhook are measured and never negative", async () => {
    await givenPayments(
      getLedger(),
      payment("p1", { state: "recorded" }),
      payment("p2", { ref: order(2), state: "recorded" }),
    );
    await givenEvent(getLedger(), "p1", deliveredEvent({ at: NOON - 400 }));
    await givenEvent(getLedger(), "p2", deliveredEvent({ at: NOON + 9 }));
    await commit(getLedger(), {
      timeline: [timelineEntry("recorded", { at: NOON + 100 }), timelineEntry("recorded", { paymentId: "p2" })],
    });
    const { orderDelaysMs, webhookDelaysMs } = await getLedger().paymentStatistics(period);
    expect([...orderDelaysMs].sort((left, right) => left - right)).toEqual([0, 500]);
    expect([...webhookDelaysMs].sort((left, right) => left - right)).toEqual([0, 400]);
  });
}
