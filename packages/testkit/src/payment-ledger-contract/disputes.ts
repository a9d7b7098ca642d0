import { expect, it } from "vitest";
import type { GetLedger } from "./samples.ts";
import { commit, dispute, givenPayments, NOON, ORDER, payment, timelineEntry } from "./samples.ts";

const DAY_MS = 86_400_000;

export function testDisputes(getLedger: GetLedger): void {
  it("a commit stores a dispute together with its payment and its timeline entry", async () => {
    await givenPayments(getLedger(), payment("p1"));
    const next = payment("p1", { version: 2 });
    const timeline = [timelineEntry("dispute_created")];
    const stored = [dispute("d1"), dispute("d2", { amount: null, transactionId: null, evidenceDueBy: null })];
    await commit(getLedger(), { payment: { next, expect: 1 }, disputes: stored, timeline });
    expect(await getLedger().disputes("p1")).toEqual(stored);
    expect(await getLedger().disputes("p2")).toEqual([]);
    expect(await getLedger().timeline({ paymentId: "p1" })).toEqual(timeline);
  });

  it("a rejected commit stores none of its disputes and timeline entries", async () => {
    await givenPayments(getLedger(), payment("p1"));
    const stale = { next: payment("p1", { version: 3 }), expect: 2 };
    expect(
      await getLedger().commit({ payment: stale, disputes: [dispute("d1")], timeline: [timelineEntry("x")] }),
    ).toBe("stale");
    expect(await getLedger().disputes("p1")).toEqual([]);
    expect(await getLedger().timeline({ paymentId: "p1" })).toEqual([]);
  });

  it("a report replaces a dispute with the same id unless the report is older", async () => {
    await commit(getLedger(), { disputes: [dispute("d1")] });
    const won = dispute("d1", { status: "closed", outcome: "won", updatedAt: NOON + 2 });
    await commit(getLedger(), { disputes: [won] });
    await commit(getLedger(), { disputes: [dispute("d1", { updatedAt: NOON + 1 })] });
    expect(await getLedger().disputes("p1")).toEqual([won]);
    const lost = dispute("d1", { status: "closed", outcome: "lost", updatedAt: NOON + 2 });
    await commit(getLedger(), { disputes: [lost] });
    expect(await getLedger().disputes("p1")).toEqual([lost]);
  });

  it("a dispute's id belongs to one payment, and ids are case-sensitive", async () => {
    await commit(getLedger(), { disputes: [dispute("d1")] });
    for (const updatedAt of [NOON - 1, NOON + 1]) {
      const other = dispute("d1", { paymentId: "p2", updatedAt });
      expect(await getLedger().commit({ disputes: [other], timeline: [timelineEntry("x")] })).toBe("taken");
    }
    await commit(getLedger(), { disputes: [dispute("D1", { paymentId: "p2" })] });
    expect(await getLedger().disputes("p1")).toEqual([dispute("d1")]);
    expect(await getLedger().disputes("p2")).toEqual([dispute("D1", { paymentId: "p2" })]);
    expect(await getLedger().timeline({ paymentId: "p1" })).toEqual([]);
  });

  it("the disputes of an order are exported with the order and erased with its store", async () => {
    // The ledger has no payment p2, so the dispute d2 belongs to no order and no store.
    await givenPayments(getLedger(), payment("p1", { state: "recorded" }));
    await commit(getLedger(), { disputes: [dispute("d1"), dispute("d2", { paymentId: "p2" })] });
    expect((await getLedger().exportOrder(ORDER))?.disputes).toEqual([dispute("d1")]);
    await getLedger().eraseStore(ORDER.storeId);
    expect(await getLedger().disputes("p1")).toEqual([]);
    expect(await getLedger().disputes("p2")).toHaveLength(1);
  });
}

export function testDisputeLists(getLedger: GetLedger): void {
  const idsOf = async (filter: object) => {
    return (await getLedger().listDisputes({ limit: 9, ...filter })).rows.map(({ id }) => id);
  };
  const decided = { status: "closed", outcome: "won" } as const;

  it("the ledger counts open and decided disputes", async () => {
    expect(await getLedger().countDisputes()).toEqual({ open: 0, over: 0 });
    await commit(getLedger(), {
      disputes: [dispute("d1"), dispute("d2"), dispute("d3", decided), dispute("d4", { status: "resolved" })],
    });
    expect(await getLedger().countDisputes()).toEqual({ open: 2, over: 2 });
    await commit(getLedger(), { disputes: [dispute("d1", { ...decided, updatedAt: NOON + 1 })] });
    expect(await getLedger().countDisputes()).toEqual({ open: 1, over: 3 });
  });

  it("the dispute list shows open before decided disputes, each newest first, page by page", async () => {
    await commit(getLedger(), {
      disputes: [
        dispute("open, oldest", { openedAt: NOON }),
        dispute("decided, newest", { ...decided, openedAt: NOON + 5 }),
        dispute("open, newer", { openedAt: NOON + 3 }),
        dispute("decided, older", { ...decided, openedAt: NOON + 1 }),
        dispute("open, newer, added later", { openedAt: NOON + 3 }),
      ],
    });
    let page = await getLedger().listDisputes({ limit: 2 });
    const seen = [...page.rows];
    while (page.next !== null) {
      page = await getLedger().listDisputes({ limit: 2, after: page.next });
      seen.push(...page.rows);
    }
    expect(seen.map(({ id }) => id)).toEqual([
      "open, newer, added later",
      "open, newer",
      "open, oldest",
      "decided, newest",
      "decided, older",
    ]);
  });

  it("the dispute list filters by open or decided and by the deadline for evidence", async () => {
    await commit(getLedger(), {
      disputes: [
        dispute("soon", { evidenceDueBy: NOON + DAY_MS }),
        dispute("later", { evidenceDueBy: NOON + 3 * DAY_MS }),
        dispute("never", { evidenceDueBy: null }),
        dispute("decided", { ...decided, evidenceDueBy: NOON }),
      ],
    });
    expect(await idsOf({ open: true })).toEqual(["never", "later", "soon"]);
    expect(await idsOf({ open: false })).toEqual(["decided"]);
    expect(await idsOf({ open: true, dueBefore: NOON + 2 * DAY_MS })).toEqual(["soon"]);
    expect(await idsOf({ dueBefore: NOON + DAY_MS })).toEqual(["decided"]);
    expect(await idsOf({ dueBefore: NOON })).toEqual([]);
  });

  it("disputes are listed and counted for one environment", async () => {
    const live = { storeId: "hats", orderId: "live order" };
    await givenPayments(getLedger(), payment("of a live payment", { ref: live, environment: "live" }), payment("p1"));
    await commit(getLedger(), {
      disputes: [dispute("live", { paymentId: "of a live payment" }), dispute("test"), dispute("over", decided)],
    });
    expect(await idsOf({ environment: "live" })).toEqual(["live"]);
    expect(await idsOf({ environment: "test", open: true })).toEqual(["test"]);
    expect(await getLedger().countDisputes({ environment: "live" })).toEqual({ open: 1, over: 0 });
    expect(await getLedger().countDisputes({ environment: "test" })).toEqual({ open: 1, over: 1 });
  });

  it("the dispute list rejects an `after` cursor that no dispute list returned", async () => {
    await expect(getLedger().listDisputes({ limit: 1, after: "nonsense" })).rejects.toThrow(RangeError);
  });
}
