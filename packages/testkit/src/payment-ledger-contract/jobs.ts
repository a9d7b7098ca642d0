import { expect, it } from "vitest";
import type { GetLedger } from "./samples.ts";
import { claim, commit, job, NOON, payloads, UNAVAILABLE } from "./samples.ts";

const MINUTE = 60_000;

export function testJobClaims(getLedger: GetLedger): void {
  it("a claim returns a job as it was committed, with an id and the first attempt", async () => {
    const committed = job({ kind: "hold", payload: '{"code":"amount_differs"}', dueAt: NOON - 5 });
    await commit(getLedger(), { jobs: [committed, job({ kind: "note", storeId: null, paymentId: null })] });
    const [first, second] = await claim(getLedger());
    expect(first).toEqual({ ...committed, id: expect.any(String), attempts: 1 });
    expect(second).toMatchObject({ kind: "note", storeId: null, paymentId: null });
    expect(first?.id).not.toBe(second?.id);
  });

  it("a claim returns only due jobs, the longest waiting first", async () => {
    const jobs = [3, 1, 2, 1].map((wait, index) => job({ payload: `${wait}:${index}`, dueAt: NOON + wait }));
    await commit(getLedger(), { jobs });
    expect(await claim(getLedger())).toEqual([]);
    expect(payloads(await claim(getLedger(), { now: NOON + 2 }))).toEqual(["1:1", "1:3", "2:2"]);
    expect(payloads(await claim(getLedger(), { now: NOON + 3 }))).toEqual(["3:0"]);
  });

  it("a claim returns at most the requested number of jobs, and the next claim returns the rest", async () => {
    await commit(getLedger(), { jobs: [job({ payload: "1" }), job({ payload: "2" }), job({ payload: "3" })] });
    expect(payloads(await claim(getLedger(), { limit: 2 }))).toEqual(["1", "2"]);
    expect(payloads(await claim(getLedger(), { worker: "worker-2", limit: 2 }))).toEqual(["3"]);
    expect(await claim(getLedger(), { limit: 2 })).toEqual([]);
  });

  it("a claim skips the jobs of excluded stores and returns the jobs of all others", async () => {
    const stores = ["hats", "shoes", null, "bags"];
    await commit(getLedger(), { jobs: stores.map((storeId) => job({ storeId, payload: `of ${storeId}` })) });
    expect(payloads(await claim(getLedger(), { except: ["hats", "bags"] }))).toEqual(["of shoes", "of null"]);
    expect(payloads(await claim(getLedger(), { except: ["hats"] }))).toEqual(["of bags"]);
    expect(payloads(await claim(getLedger(), { except: [] }))).toEqual(["of hats"]);
  });

  it("a job with `once` is added only while no equal job is waiting", async () => {
    const once = job({ payload: "signal", once: true });
    await commit(getLedger(), { jobs: [once, once, job({ payload: "other", once: true })] });
    await commit(getLedger(), { jobs: [once, { ...once, paymentId: "p2" }, { ...once, kind: "note" }] });
    const waiting = await claim(getLedger());
    expect(payloads(waiting)).toEqual(["signal", "other", "signal", "signal"]);
    expect(waiting[0]).not.toHaveProperty("once");
    await commit(getLedger(), { jobs: [once] });
    const [again, ...others] = await claim(getLedger());
    expect(again).toMatchObject({ payload: "signal", attempts: 1 });
    expect(others).toEqual([]);
  });

  it("a job with `once` is added when the equal job is due later or is a dead-letter job", async () => {
    await commit(getLedger(), { jobs: [job({ payload: "later", dueAt: NOON + 1 }), job({ payload: "dead" })] });
    const [dead] = await claim(getLedger());
    await commit(getLedger(), { retried: [{ id: dead?.id ?? "", dueAt: null, error: UNAVAILABLE }] });
    await commit(getLedger(), { jobs: ["later", "dead"].map((payload) => job({ payload, once: true })) });
    expect(payloads(await claim(getLedger()))).toEqual(["later", "dead"]);
  });

  it("a job is claimed again exactly when its lease expires, and its attempt is counted", async () => {
    await commit(getLedger(), { jobs: [job()] });
    const [first] = await claim(getLedger());
    expect(await claim(getLedger(), { worker: "worker-2", now: NOON + MINUTE - 1 })).toEqual([]);
    const [second] = await claim(getLedger(), { worker: "worker-2", now: NOON + MINUTE });
    expect(second).toEqual({ ...first, attempts: 2 });
  });

  it("a renewed lease keeps a job from other workers", async () => {
    await commit(getLedger(), { jobs: [job()] });
    const [mine] = await claim(getLedger());
    const id = mine?.id ?? "";
    expect(await getLedger().renewJobs([id], "worker-1", NOON + 30_000, MINUTE)).toEqual([id]);
    expect(await claim(getLedger(), { now: NOON + MINUTE })).toEqual([]);
    expect(await claim(getLedger(), { now: NOON + 90_000 })).toHaveLength(1);
  });

  it("an expired lease can be renewed until another worker claims the job", async () => {
    await commit(getLedger(), { jobs: [job()] });
    const [mine] = await claim(getLedger());
    const ids = [mine?.id ?? ""];
    expect(await getLedger().renewJobs(ids, "worker-1", NOON + 2 * MINUTE, MINUTE)).toEqual(ids);
    await claim(getLedger(), { worker: "worker-2", now: NOON + 3 * MINUTE });
    expect(await getLedger().renewJobs(ids, "worker-1", NOON + 3 * MINUTE, MINUTE)).toEqual([]);
    expect(await getLedger().renewJobs(ids, "worker-2", NOON + 3 * MINUTE, MINUTE)).toEqual(ids);
  });

  it("renewJobs renews only the worker's own jobs, and no finished, retried, dead-letter or unknown job", async () => {
    await commit(getLedger(), { jobs: ["mine", "finished", "retried", "dead"].map((payload) => job({ payload })) });
    const ids = (await claim(getLedger())).map(({ id }) => id);
    const [mine = "", finished = "", retried = "", dead = ""] = ids;
    await commit(getLedger(), {
      finished: [finished],
      retried: [
        { id: retried, dueAt: NOON + 1, error: UNAVAILABLE },
        { id: dead, dueAt: null, error: UNAVAILABLE },
      ],
    });
    expect(await getLedger().renewJobs([...ids, "unknown"], "worker-1", NOON, MINUTE)).toEqual([mine]);
    expect(await getLedger().renewJobs(ids, "worker-2", NOON, MINUTE)).toEqual([]);
    expect(await getLedger().renewJobs([], "worker-1", NOON, MINUTE)).toEqual([]);
  });

  it("ten concurrent claims never return the same job twice", async () => {
    const stores = ["hats", "shoes", "gloves", "bags", "belts", "scarves"];
    await commit(getLedger(), {
      jobs: Array.from({ length: 60 }, (_, index) => job({ storeId: stores[index % 6] ?? "" })),
    });
    const rounds = await Promise.all(
      Array.from({ length: 10 }, (_, index) => claim(getLedger(), { worker: `worker-${index}`, limit: 7 })),
    );
    const ids = rounds.flat().map(({ id }) => id);
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
  });
}

export function testFinishedAndRetriedJobs(getLedger: GetLedger): void {
  it("a finished job is never claimed again, even after its lease expires or after a late retry", async () => {
    await commit(getLedger(), { jobs: [job()] });
    const [claimed] = await claim(getLedger());
    const id = claimed?.id ?? "";
    await commit(getLedger(), { finished: [id, "unknown"] });
    await commit(getLedger(), { retried: [{ id, dueAt: NOON, error: UNAVAILABLE }], finished: [id] });
    expect(await claim(getLedger(), { now: NOON + 60 * MINUTE })).toEqual([]);
    expect(await getLedger().nextDueAt()).toBeNull();
  });

  it("a retried job is claimed at its new time, and its attempts keep counting", async () => {
    await commit(getLedger(), { jobs: [job()] });
    const [first] = await claim(getLedger());
    const dueAt = NOON + 5 * MINUTE;
    await commit(getLedger(), { retried: [{ id: first?.id ?? "", dueAt, error: UNAVAILABLE }] });
    expect(await claim(getLedger(), { now: dueAt - 1 })).toEqual([]);
    const [second] = await claim(getLedger(), { now: dueAt });
    expect(second).toEqual({ ...first, dueAt, attempts: 2 });
  });

  it("a retry can be due before the old lease would have expired", async () => {
    await commit(getLedger(), { jobs: [job()] });
    const [first] = await claim(getLedger());
    await commit(getLedger(), { retried: [{ id: first?.id ?? "", dueAt: NOON + 2, error: UNAVAILABLE }] });
    expect(await claim(getLedger(), { worker: "worker-2", now: NOON + 2 })).toHaveLength(1);
  });

  it("a dead-letter job is claimed only after somebody retries it", async () => {
    await commit(getLedger(), { jobs: [job()] });
    const [first] = await claim(getLedger());
    await commit(getLedger(), { retried: [{ id: first?.id ?? "", dueAt: null, error: UNAVAILABLE }] });
    const yearsLater = NOON + 1e11;
    expect(await claim(getLedger(), { now: yearsLater })).toEqual([]);
    expect(await getLedger().nextDueAt()).toBeNull();
    await commit(getLedger(), { retried: [{ id: first?.id ?? "", dueAt: NOON + 1, error: UNAVAILABLE }] });
    expect(await claim(getLedger(), { now: NOON + 1 })).toHaveLength(1);
  });

  it("nextDueAt returns the next due time or the time at which a lease expires", async () => {
    expect(await getLedger().nextDueAt()).toBeNull();
    await commit(getLedger(), { jobs: [job({ dueAt: NOON + 4 * MINUTE }), job({ storeId: "shoes", dueAt: NOON })] });
    expect(await getLedger().nextDueAt()).toBe(NOON);
    await claim(getLedger());
    expect(await getLedger().nextDueAt()).toBe(NOON + MINUTE);
    const [claimedAgain] = await claim(getLedger(), { now: NOON + MINUTE });
    await commit(getLedger(), { finished: [claimedAgain?.id ?? ""] });
    expect(await getLedger().nextDueAt()).toBe(NOON + 4 * MINUTE);
  });
}
