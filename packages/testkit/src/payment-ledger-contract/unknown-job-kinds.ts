import { limits } from "@tillkit/core";
import type { JobKind } from "@tillkit/core/ledger";
import { expect, it } from "vitest";
import { claim, commit, type GetLedger, job, NOON, payloads } from "./samples.ts";

/** A kind of a newer version that shares the ledger. */
const UNKNOWN = "kind-of-a-newer-version" as JobKind;
const MINUTE = 60_000;

export function testUnknownJobKinds(getLedger: GetLedger): void {
  it("a job of a kind that this version does not know is never claimed, and stays as it was for a newer version", async () => {
    await commit(getLedger(), {
      jobs: [job({ kind: UNKNOWN, payload: "new", dueAt: NOON - MINUTE }), job({ payload: "known" })],
    });
    expect(payloads(await claim(getLedger()))).toEqual(["known"]);
    expect(await claim(getLedger(), { now: NOON + 60 * MINUTE, limit: 1 })).toHaveLength(1);
    const { rows } = await getLedger().listJobs({ limit: 9 });
    const unknown = rows.find(({ payload }) => payload === "new");
    expect(unknown).toMatchObject({
      kind: UNKNOWN,
      attempts: 0,
      dueAt: NOON - MINUTE,
      readyAt: NOON - MINUTE,
      error: null,
    });
  });

  it("nextDueAt passes over jobs of unknown kinds, so that no worker wakes up for them again and again", async () => {
    await commit(getLedger(), { jobs: [job({ kind: UNKNOWN, dueAt: NOON - MINUTE })] });
    expect(await getLedger().nextDueAt()).toBeNull();
    await commit(getLedger(), { jobs: [job({ dueAt: NOON + MINUTE })] });
    expect(await getLedger().nextDueAt()).toBe(NOON + MINUTE);
  });

  it("10,000 due jobs of an unknown kind delay no other job, in their own store and in any other", {
    timeout: 60_000,
  }, async () => {
    for (let batch = 0; batch < 10; batch += 1) {
      const jobs = Array.from({ length: 1_000 }, () => job({ kind: UNKNOWN, dueAt: NOON - MINUTE }));
      await commit(getLedger(), { jobs });
    }
    await commit(getLedger(), {
      jobs: [job({ payload: "same store" }), job({ payload: "other store", storeId: "shoes" })],
    });
    expect(payloads(await claim(getLedger())).toSorted()).toEqual(["other store", "same store"]);
    // In a backlog of known jobs, a claim visits the stores one by one.
    const flood = Array.from({ length: 400 }, () => job({ storeId: "gloves", dueAt: NOON - MINUTE }));
    await commit(getLedger(), {
      jobs: [...flood, job({ payload: "later" }), job({ payload: "later", storeId: "shoes" })],
    });
    const claimed = await claim(getLedger());
    expect(payloads(claimed).filter((payload) => payload === "later")).toHaveLength(2);
    expect(claimed.filter(({ storeId }) => storeId === "gloves")).toHaveLength(limits.claimedJobsPerStore);
  });

  it("a lease of a job of an unknown kind is left to the version that knows it, however far ahead it lies", async () => {
    const dueAt = NOON + 80 * 60 * MINUTE;
    await commit(getLedger(), { jobs: [job({ kind: UNKNOWN, dueAt })] });
    expect(await claim(getLedger())).toEqual([]);
    expect((await getLedger().listJobs({ limit: 9 })).rows[0]?.readyAt).toBe(dueAt);
  });

  it("jobs that have been due for a while are listed, also of an unknown kind, and leased and dead-letter jobs are not", async () => {
    const jobs = [UNKNOWN, "confirm", "confirm", "confirm"].map((kind, index) =>
      job({ kind: kind as JobKind, payload: `${index}` }),
    );
    await commit(getLedger(), { jobs });
    const [leased, dead] = await claim(getLedger(), { limit: 2 });
    await commit(getLedger(), {
      retried: [{ id: dead?.id ?? "", dueAt: null, error: { code: "reconnect", message: "" } }],
    });
    const overdue = async (readyBefore: number) =>
      payloads((await getLedger().listJobs({ readyBefore, limit: 9 })).rows);
    expect(leased?.payload).toBe("1");
    expect(await overdue(NOON)).toEqual([]);
    expect(await overdue(NOON + 1)).toEqual(["3", "0"]);
  });
}
