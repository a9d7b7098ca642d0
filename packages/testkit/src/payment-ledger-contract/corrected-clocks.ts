import { limits } from "@tillkit/core";
import { expect, it } from "vitest";
import type { GetLedger } from "./samples.ts";
import { claim, commit, givenPayments, job, NOON, ORDER, payloads, payment } from "./samples.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How far ahead a clock was, until it was set back to `NOON`. */
const AHEAD = [
  ["80 hours", 80 * HOUR],
  ["30 days", 30 * 24 * HOUR],
] as const;
/** The lease of a claim in these tests. */
const LEASE_MS = MINUTE;

export function testCorrectedClocks(getLedger: GetLedger): void {
  it.each(AHEAD)(
    "a job lease that a clock %s ahead has given lasts a whole lease from now, and no longer",
    async (_title, aheadMs) => {
      await commit(getLedger(), { jobs: [job()] });
      // The ledger has looked at this job before.
      for (const minutes of [3, 2, 1]) expect(await claim(getLedger(), { now: NOON - minutes * MINUTE })).toEqual([]);
      expect(await claim(getLedger(), { now: NOON + aheadMs })).toHaveLength(1);
      expect(await claim(getLedger(), { worker: "worker-2" })).toEqual([]);
      expect(await claim(getLedger(), { worker: "worker-2", now: NOON + LEASE_MS - 1 })).toEqual([]);
      expect(await claim(getLedger(), { worker: "worker-2", now: NOON + LEASE_MS })).toHaveLength(1);
    },
  );

  it("a worker that renews a lease after its clock was set back still holds the job", async () => {
    await commit(getLedger(), { jobs: [job()] });
    const [mine] = await claim(getLedger(), { now: NOON + 80 * HOUR });
    await claim(getLedger(), { worker: "worker-2" });
    const id = mine?.id ?? "";
    expect(await getLedger().renewJobs([id], "worker-1", NOON + 30_000, LEASE_MS)).toEqual([id]);
    expect(await claim(getLedger(), { worker: "worker-2", now: NOON + LEASE_MS })).toEqual([]);
  });

  it.each(AHEAD)(
    "an order lease that a clock %s ahead has given lasts a whole lease from now, and no longer",
    async (_title, aheadMs) => {
      const lock = (now: number) => getLedger().lockOrder(ORDER, "worker-1", now, LEASE_MS);
      expect(await lock(NOON + aheadMs)).toBe(1);
      expect(await lock(NOON)).toBeNull();
      expect(await lock(NOON + LEASE_MS - 1)).toBeNull();
      expect(await lock(NOON + LEASE_MS)).toBe(2);
    },
  );

  it("a short order lease does not shorten the lease of a worker that writes to a store", async () => {
    await getLedger().lockOrder(ORDER, "worker-1", NOON, limits.orderLeaseMs);
    for (const now of [NOON, NOON + limits.orderLeaseMs - 1]) {
      expect(await getLedger().lockOrder(ORDER, "worker-2", now, 1_000)).toBeNull();
    }
  });

  it.each([
    ["delivery", limits.longestRetryMs],
    ["confirm", limits.longestRetryMs],
    ["pending", limits.longestRetryMs],
    ["reopen", limits.longestRetryMs],
    ["note", limits.autoRefundNoteMs],
    ["hold", limits.autoRefundNoteMs],
    ["refund", limits.refundCheckMs],
  ] as const)(
    "a job of kind %s that a clock ahead has scheduled is claimed after the longest wait of its kind",
    async (kind, waitMs) => {
      for (const [, aheadMs] of AHEAD) await commit(getLedger(), { jobs: [job({ kind, dueAt: NOON + aheadMs })] });
      expect(await claim(getLedger())).toEqual([]);
      expect(await getLedger().nextDueAt()).toBe(NOON + waitMs);
      expect(await claim(getLedger(), { now: NOON + waitMs - 1 })).toEqual([]);
      expect(await claim(getLedger(), { now: NOON + waitMs })).toHaveLength(AHEAD.length);
    },
  );

  it("the next check of an open session comes within nine minutes, however far a clock was ahead that scheduled it", async () => {
    const dueTimes = [40, 80, 720].map((hours) => NOON + hours * HOUR);
    const expiresAt = NOON + HOUR;
    for (const [index, dueAt] of dueTimes.entries()) {
      const ref = { ...ORDER, orderId: `order-${index}` };
      const session = { id: `session-${index}`, url: "https://pay.example/", expiresAt };
      const change = { ref, session, state: "open", createdAt: dueAt - 2 * MINUTE, nextCheckAt: dueAt } as const;
      await givenPayments(getLedger(), payment(`p${index}`, change));
      await commit(getLedger(), {
        jobs: [job({ paymentId: `p${index}`, payload: JSON.stringify({ check: dueAt }), dueAt })],
      });
    }
    expect(await claim(getLedger())).toEqual([]);
    expect(await claim(getLedger(), { now: NOON + limits.maxCheckGapMs })).toHaveLength(dueTimes.length);
  });

  it("a check keeps its time that a process half a minute ahead scheduled right after the one before it", async () => {
    const createdAt = NOON - 11 * MINUTE + limits.clockSkewMs;
    const session = { id: "session", url: "https://pay.example/", expiresAt: createdAt + HOUR };
    const dueAt = createdAt + 20 * MINUTE;
    await givenPayments(getLedger(), payment("p1", { session, state: "open", createdAt, checks: 2 }));
    await commit(getLedger(), { jobs: [job({ payload: JSON.stringify({ check: dueAt }), dueAt })] });
    expect(await claim(getLedger())).toEqual([]);
    expect(await getLedger().nextDueAt()).toBe(dueAt);
  });

  it("the last check of an expired session keeps its time three days ahead", async () => {
    const session = { id: "session", url: "https://pay.example/", expiresAt: NOON - 25 * HOUR };
    const dueAt = session.expiresAt + limits.graceMs;
    await givenPayments(
      getLedger(),
      payment("p1", { session, state: "expired", createdAt: NOON - 26 * HOUR, checks: 9 }),
    );
    await commit(getLedger(), { jobs: [job({ payload: JSON.stringify({ check: dueAt }), dueAt })] });
    expect(await claim(getLedger())).toEqual([]);
    expect(await getLedger().nextDueAt()).toBe(dueAt);
  });

  it("a write that a platform has scheduled keeps its time hours ahead", async () => {
    const dueAt = NOON + 4 * HOUR;
    await givenPayments(getLedger(), payment("p1", { state: "verified", storeRetryAt: dueAt, storeTries: 14 }));
    await commit(getLedger(), { jobs: [job({ dueAt })] });
    expect(await claim(getLedger())).toEqual([]);
    expect(await getLedger().nextDueAt()).toBe(dueAt);
  });

  it("one claim after a clock was set back finds every job among 1,500 that lie too far ahead", async () => {
    const dueAt = NOON + 80 * HOUR;
    const jobs = Array.from({ length: 1_500 }, (_, index) =>
      job({ kind: "refuse", payload: `${index}`, dueAt: dueAt + index }),
    );
    await commit(getLedger(), { jobs });
    expect(await claim(getLedger())).toEqual([]);
    expect(await getLedger().countJobs(NOON + limits.longestRetryMs)).toMatchObject({ due: 1_500, waiting: 0 });
  });

  it("a job that a later clock ahead schedules is found within a minute, although the ledger was corrected before", async () => {
    expect(await claim(getLedger())).toEqual([]);
    await commit(getLedger(), { jobs: [job({ payload: "late", dueAt: NOON + 80 * HOUR })] });
    expect(await claim(getLedger(), { now: NOON + MINUTE })).toEqual([]);
    expect(payloads(await claim(getLedger(), { now: NOON + MINUTE + limits.longestRetryMs }))).toEqual(["late"]);
  });
}
