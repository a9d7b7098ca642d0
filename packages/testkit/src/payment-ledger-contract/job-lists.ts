import { expect, it } from "vitest";
import { claim, commit, type GetLedger, job, NOON, RECONNECT, UNAVAILABLE } from "./samples.ts";

export function testJobLists(getLedger: GetLedger): void {
  it("jobs are counted as due, waiting and dead-letter jobs", async () => {
    expect(await getLedger().countJobs(NOON)).toEqual({ due: 0, waiting: 0, dead: 0 });
    await commit(getLedger(), { jobs: [0, 0, 0, 1, 2].map((wait) => job({ dueAt: NOON + wait })) });
    // The first claimed job keeps its lease, so it counts as waiting. The second becomes a dead-letter job.
    const [, givenUp] = await claim(getLedger(), { limit: 2 });
    await commit(getLedger(), { retried: [{ id: givenUp?.id ?? "", dueAt: null, error: RECONNECT }] });
    expect(await getLedger().countJobs(NOON)).toEqual({ due: 1, waiting: 3, dead: 1 });
    expect(await getLedger().countJobs(NOON + 2)).toEqual({ due: 3, waiting: 1, dead: 1 });
  });

  it("jobs are listed newest first, page by page, with the time they may be claimed and their last error", async () => {
    await commit(getLedger(), { jobs: ["one", "two", "three"].map((payload) => job({ payload })) });
    const [first] = await claim(getLedger(), { limit: 1 });
    await commit(getLedger(), { retried: [{ id: first?.id ?? "", dueAt: NOON + 5, error: UNAVAILABLE }] });
    const page = await getLedger().listJobs({ limit: 2 });
    expect(page.rows.map(({ payload }) => payload)).toEqual(["three", "two"]);
    expect(page.rows[0]).toMatchObject({ readyAt: NOON, error: null, attempts: 0 });
    const rest = await getLedger().listJobs({ limit: 2, after: page.next ?? "" });
    expect(rest).toEqual({ rows: [{ ...first, dueAt: NOON + 5, readyAt: NOON + 5, error: UNAVAILABLE }], next: null });
  });

  it("the job list filters by id, dead-letter jobs, store and payment", async () => {
    await commit(getLedger(), {
      jobs: [job({ payload: "dead" }), job({ payload: "other", storeId: "shoes", paymentId: "p2" }), jobWithoutStore()],
    });
    const dead = (await claim(getLedger())).find(({ payload }) => payload === "dead");
    await commit(getLedger(), { retried: [{ id: dead?.id ?? "", dueAt: null, error: RECONNECT }] });
    const list = async (filter: object) => {
      return (await getLedger().listJobs({ limit: 9, ...filter })).rows.map(({ payload }) => payload);
    };
    expect(await list({ dead: true })).toEqual(["dead"]);
    expect(await list({ dead: false })).toEqual(["no store", "other"]);
    expect(await list({ storeId: "hats" })).toEqual(["dead"]);
    expect(await list({ paymentId: "p2" })).toEqual(["other"]);
    expect(await list({ id: dead?.id })).toEqual(["dead"]);
    expect(await list({ id: dead?.id, storeId: "shoes" })).toEqual([]);
    expect(await list({ id: "no number" })).toEqual([]);
    expect((await getLedger().listJobs({ limit: 1, dead: true })).rows[0]).toMatchObject({
      readyAt: null,
      error: RECONNECT,
    });
  });

  it("the job list filters by the number of attempts", async () => {
    await commit(getLedger(), { jobs: [job({ payload: "often" })] });
    for (const dueAt of [NOON, NOON + 5]) {
      const [tried] = await claim(getLedger());
      await commit(getLedger(), { retried: [{ id: tried?.id ?? "", dueAt, error: UNAVAILABLE }] });
    }
    await commit(getLedger(), { jobs: ["a", "b", "c"].map((payload) => job({ payload })) });
    const tried = await getLedger().listJobs({ minAttempts: 2, limit: 1 });
    expect(tried.rows.map(({ payload, attempts }) => [payload, attempts])).toEqual([["often", 2]]);
    expect(tried.next).toBeNull();
    expect((await getLedger().listJobs({ minAttempts: 3, limit: 9 })).rows).toEqual([]);
  });

  it("a dead-letter job that is retried with resetAttempts starts at its first attempt", async () => {
    await commit(getLedger(), { jobs: [job()] });
    const [first] = await claim(getLedger());
    const id = first?.id ?? "";
    await commit(getLedger(), { retried: [{ id, dueAt: null, error: RECONNECT }] });
    await commit(getLedger(), { retried: [{ id, dueAt: NOON, error: UNAVAILABLE, resetAttempts: true }] });
    expect((await claim(getLedger()))[0]?.attempts).toBe(1);
    await commit(getLedger(), { retried: [{ id, dueAt: NOON + 1, error: UNAVAILABLE, resetAttempts: false }] });
    expect((await claim(getLedger(), { now: NOON + 1 }))[0]?.attempts).toBe(2);
  });

  it("a job that was retried from one page and runs already is left alone by the retry from an older page", async () => {
    await commit(getLedger(), { jobs: [job()] });
    const id = (await claim(getLedger()))[0]?.id ?? "";
    await commit(getLedger(), { retried: [{ id, dueAt: null, error: RECONNECT }] });
    const byPerson = { id, dueAt: NOON, error: UNAVAILABLE, resetAttempts: true, onlyDead: true };
    await commit(getLedger(), { retried: [byPerson] });
    expect(await claim(getLedger())).toHaveLength(1);
    await commit(getLedger(), { retried: [byPerson] });
    expect(await claim(getLedger())).toEqual([]);
  });
}

function jobWithoutStore() {
  return job({ payload: "no store", storeId: null, paymentId: null });
}
