import { expect, it } from "vitest";
import type { GetLedger } from "./samples.ts";
import { commit, givenPayments, NOON, ORDER, payment, timelineEntry } from "./samples.ts";

const OTHER_ORDER = { storeId: "hats", orderId: "order-2" };

export function testTimeline(getLedger: GetLedger): void {
  it("a timeline entry is returned as it was committed", async () => {
    const entry = timelineEntry("held", {
      actor: "store",
      finding: { code: "currency_differs", expected: "« XOF » 🎩", found: "" },
    });
    await commit(getLedger(), { timeline: [entry] });
    expect(await getLedger().timeline({ paymentId: "p1" })).toEqual([entry]);
    expect(await getLedger().timeline({ paymentId: "p2" })).toEqual([]);
  });

  it("the timeline is ordered from the oldest to the newest entry, also when an older entry is committed late", async () => {
    await commit(getLedger(), {
      timeline: [timelineEntry("second", { at: NOON + 2 }), timelineEntry("third", { at: NOON + 2 })],
    });
    await commit(getLedger(), {
      timeline: [timelineEntry("first", { at: NOON + 1 }), timelineEntry("fourth", { at: NOON + 2 })],
    });
    const timeline = await getLedger().timeline({ paymentId: "p1" });
    expect(timeline.map(({ kind }) => kind)).toEqual(["first", "second", "third", "fourth"]);
  });

  it("an order's timeline contains the entries of all its payments and of no other payments", async () => {
    const closed = { state: "closed" } as const;
    await givenPayments(getLedger(), payment("p1", closed), payment("p2"), payment("p3", { ref: OTHER_ORDER }));
    await commit(getLedger(), {
      timeline: [
        timelineEntry("paid", { paymentId: "p2", at: NOON + 2 }),
        timelineEntry("opened", { paymentId: "p1", at: NOON + 1 }),
        timelineEntry("elsewhere", { paymentId: "p3" }),
        timelineEntry("of no payment", { paymentId: null }),
      ],
    });
    expect((await getLedger().timeline({ ref: ORDER })).map(({ kind }) => kind)).toEqual(["opened", "paid"]);
    expect(await getLedger().timeline({ ref: { storeId: "shoes", orderId: ORDER.orderId } })).toEqual([]);
  });
}
