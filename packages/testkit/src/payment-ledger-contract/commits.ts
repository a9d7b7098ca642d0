import type { Ledger } from "@tillkit/core";
import type { Change } from "@tillkit/core/ledger";
import { expect, it } from "vitest";
import {
  claim,
  commit,
  type GetLedger,
  givenPayments,
  job,
  NOON,
  ORDER,
  payment,
  refund,
  session,
  timelineEntry,
  UNAVAILABLE,
} from "./samples.ts";

export function testCommits(getLedger: GetLedger): void {
  it("a commit stores the payment, its jobs, refunds and timeline entries together", async () => {
    await commit(getLedger(), everything());
    expect(await getLedger().find({ id: "p1" })).toEqual(payment("p1"));
    expect(await getLedger().refunds("p1")).toEqual([refund("r1")]);
    expect(await getLedger().timeline({ paymentId: "p1" })).toEqual([timelineEntry("started")]);
    expect(await claim(getLedger())).toHaveLength(1);
  });

  it("a commit stores nothing when another writer changed the payment", async () => {
    await givenPayments(getLedger(), payment("p1"));
    const next = payment("p1", { version: 3, state: "open" });
    await expectNothingStored(getLedger(), { ...everything(), payment: { next, expect: 2 } }, "stale");
    expect(await getLedger().find({ id: "p1" })).toEqual(payment("p1"));
  });

  it("a commit stores nothing when the lease of the order was lost", async () => {
    const fence = (await getLedger().lockOrder(ORDER, "worker-1", NOON, 60_000)) ?? 0;
    await getLedger().lockOrder(ORDER, "worker-2", NOON + 60_000, 60_000);
    await expectNothingStored(getLedger(), { ...everything(), fence: { ref: ORDER, value: fence } }, "stale");
    expect(await getLedger().find({ id: "p1" })).toBeNull();
  });

  it("a commit stores nothing when it breaks a unique rule", async () => {
    await givenPayments(getLedger(), payment("p0"));
    await expectNothingStored(getLedger(), everything(), "taken");
    expect(await getLedger().find({ id: "p1" })).toBeNull();
  });

  it("a commit stores nothing when a refund's key belongs to another payment", async () => {
    await commit(getLedger(), { refunds: [refund("r1", { paymentId: "p0" })] });
    await expectNothingStored(getLedger(), everything(), "taken");
    expect(await getLedger().find({ id: "p1" })).toBeNull();
    expect(await getLedger().refunds("p0")).toEqual([refund("r1", { paymentId: "p0" })]);
  });

  it("a rejected commit neither finishes nor retries a job", async () => {
    await givenPayments(getLedger(), payment("p1"));
    await commit(getLedger(), { jobs: [job({ payload: "one" }), job({ payload: "two" })] });
    const [one, two] = await claim(getLedger());
    const stale: Change = {
      payment: { next: payment("p1", { version: 3 }), expect: 2 },
      finished: [one?.id ?? ""],
      retried: [{ id: two?.id ?? "", dueAt: null, error: UNAVAILABLE }],
      timeline: [],
    };
    expect(await getLedger().commit(stale)).toBe("stale");
    expect(await claim(getLedger(), { now: NOON + 60_000 })).toHaveLength(2);
  });

  it("a commit replaces the payment version that was read, and rejects the same version twice", async () => {
    await givenPayments(getLedger(), payment("p1"));
    const next = payment("p1", { version: 2, state: "open", session: session("cs_1") });
    expect(await getLedger().commit({ payment: { next, expect: 1 }, timeline: [] })).toBe("done");
    expect(await getLedger().commit({ payment: { next, expect: 1 }, timeline: [] })).toBe("stale");
    expect(await getLedger().find({ id: "p1" })).toEqual(next);
  });

  it("a commit adds a payment only under a new id, and changes a payment only under a known id", async () => {
    await givenPayments(getLedger(), payment("p1"));
    const other = { storeId: "hats", orderId: "order-2" };
    const sameId = payment("p1", { ref: other, request: "{}" });
    expect(await getLedger().commit({ payment: { next: sameId, expect: "new" }, timeline: [] })).toBe("stale");
    expect(await getLedger().commit({ payment: { next: payment("p1"), expect: "new" }, timeline: [] })).toBe("stale");
    const unknown = payment("p2", { ref: other, version: 2 });
    expect(await getLedger().commit({ payment: { next: unknown, expect: 1 }, timeline: [] })).toBe("stale");
    expect(await getLedger().find({ id: "p1" })).toEqual(payment("p1"));
    expect(await getLedger().find({ id: "p2" })).toBeNull();
  });

  it("a commit rejects a payment whose version does not follow the version that was read", async () => {
    await givenPayments(getLedger(), payment("p1"));
    const skipping = payment("p1", { version: 3 });
    const update: Change = { payment: { next: skipping, expect: 1 }, timeline: [] };
    await expect(getLedger().commit(update)).rejects.toThrow(/version/);
    const notFirst = payment("p2", { version: 2 });
    const insert: Change = { payment: { next: notFirst, expect: "new" }, timeline: [] };
    await expect(getLedger().commit(insert)).rejects.toThrow(/version/);
    expect(await getLedger().find({ id: "p1" })).toEqual(payment("p1"));
  });

  it("a commit stores nothing when a job is due at a fraction of a millisecond", async () => {
    const change = { ...everything(), jobs: [job({ dueAt: NOON + 0.5 })] };
    await expect(getLedger().commit(change)).rejects.toThrow();
    expect(await getLedger().find({ id: "p1" })).toBeNull();
    await commit(getLedger(), { jobs: [job()] });
    const [claimed] = await claim(getLedger());
    const retried = [{ id: claimed?.id ?? "", dueAt: NOON + 0.5, error: UNAVAILABLE }];
    await expect(getLedger().commit({ retried, timeline: [timelineEntry("retried")] })).rejects.toThrow();
    expect(await getLedger().timeline({ paymentId: "p1" })).toEqual([]);
    expect(await getLedger().nextDueAt()).toBe(NOON + 60_000);
  });

  it("one of twenty concurrent changes to the same payment version succeeds", async () => {
    await givenPayments(getLedger(), payment("p1"));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const next = payment("p1", { version: 2, checks: index });
        return getLedger().commit({ payment: { next, expect: 1 }, timeline: [timelineEntry(`writer ${index}`)] });
      }),
    );
    expect(answers.filter((answer) => answer === "done")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "stale")).toHaveLength(19);
    const winner = answers.indexOf("done");
    expect(await getLedger().find({ id: "p1" })).toMatchObject({ version: 2, checks: winner });
    expect(await getLedger().timeline({ paymentId: "p1" })).toEqual([timelineEntry(`writer ${winner}`)]);
  });

  it("one of twenty concurrent inserts of the same payment succeeds, and the others are stale", async () => {
    // Ten rounds, because a single round may not hit the race.
    for (let round = 0; round < 10; round += 1) {
      const ref = { ...ORDER, orderId: `order-${round}` };
      const next = payment(`p${round}`, {
        ref,
        attempt: `try-${round}`,
        state: "recorded",
        session: session(`cs_${round}`),
      });
      const change = { payment: { next, expect: "new" }, timeline: [] } as const;
      const answers = await Promise.all(Array.from({ length: 20 }, () => getLedger().commit(change)));
      expect(answers.sort()).toEqual(["done", ...Array.from({ length: 19 }, () => "stale")]);
    }
  });

  it("a commit replaces the refund that has the same key", async () => {
    await commit(getLedger(), { refunds: [refund("r1"), refund("r2"), refund("r3", { paymentId: "p2" })] });
    const completed = refund("r1", { state: "completed", refundId: "ref_1", amount: { minor: 1999, currency: "USD" } });
    await commit(getLedger(), { refunds: [completed] });
    expect(await getLedger().refunds("p1")).toEqual([completed, refund("r2")]);
    expect(await getLedger().refunds("p2")).toEqual([refund("r3", { paymentId: "p2" })]);
  });
}

function everything(): Change {
  return {
    payment: { next: payment("p1"), expect: "new" },
    jobs: [job()],
    refunds: [refund("r1")],
    timeline: [timelineEntry("started")],
  };
}

async function expectNothingStored(ledger: Ledger, change: Change, answer: "stale" | "taken"): Promise<void> {
  expect(await ledger.commit(change)).toBe(answer);
  expect(await ledger.refunds("p1")).toEqual([]);
  expect(await ledger.timeline({ paymentId: "p1" })).toEqual([]);
  expect(await claim(ledger)).toEqual([]);
}
