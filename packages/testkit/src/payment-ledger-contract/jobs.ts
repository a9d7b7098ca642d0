import { expect, it } from "vitest";
import type { LedgerOfTest } from "./payment-ledger-contract.ts";
import { claim, given, job, NOON, payloads } from "./samples.ts";

const MINUTE = 60_000;

export function jobsAreClaimedByOne(ledger: LedgerOfTest): void {
  it("gives a job back as it was committed, with an id and the first attempt", async () => {
    const wanted = job({ kind: "hold", payload: '{"code":"amount_differs"}', dueAt: NOON - 5 });
    await given(ledger(), { jobs: [wanted, job({ kind: "note", storeId: null, paymentId: null })] });
    const [first, second] = await claim(ledger());
    expect(first).toEqual({ ...wanted, id: expect.any(String), attempts: 1 });
    expect(second).toMatchObject({ kind: "note", storeId: null, paymentId: null });
    expect(first?.id).not.toBe(second?.id);
  });

  it("hands out nothing before it is due, and the longest waiting first", async () => {
    const times = [3, 1, 2, 1].map((wait, index) => job({ payload: `${wait}:${index}`, dueAt: NOON + wait }));
    await given(ledger(), { jobs: times });
    expect(await claim(ledger())).toEqual([]);
    expect(payloads(await claim(ledger(), { now: NOON + 2 }))).toEqual(["1:1", "1:3", "2:2"]);
    expect(payloads(await claim(ledger(), { now: NOON + 3 }))).toEqual(["3:0"]);
  });

  it("hands out no more than asked, and the rest to the next who asks", async () => {
    await given(ledger(), { jobs: [job({ payload: "1" }), job({ payload: "2" }), job({ payload: "3" })] });
    expect(payloads(await claim(ledger(), { limit: 2 }))).toEqual(["1", "2"]);
    expect(payloads(await claim(ledger(), { worker: "worker-2", limit: 2 }))).toEqual(["3"]);
    expect(await claim(ledger(), { limit: 2 })).toEqual([]);
  });

  it("leaves the jobs of stores that are busy where they are, and hands out everybody else's", async () => {
    const stores = ["hats", "shoes", null, "bags"];
    await given(ledger(), { jobs: stores.map((storeId) => job({ storeId, payload: `of ${storeId}` })) });
    expect(payloads(await claim(ledger(), { except: ["hats", "bags"] }))).toEqual(["of shoes", "of null"]);
    expect(payloads(await claim(ledger(), { except: ["hats"] }))).toEqual(["of bags"]);
    expect(payloads(await claim(ledger(), { except: [] }))).toEqual(["of hats"]);
  });

  it("adds work that is wanted once only while the same is not waiting already", async () => {
    const once = job({ payload: "signal", once: true });
    await given(ledger(), { jobs: [once, once, job({ payload: "other", once: true })] });
    await given(ledger(), { jobs: [once, { ...once, paymentId: "p2" }, { ...once, kind: "note" }] });
    const waiting = await claim(ledger());
    expect(payloads(waiting)).toEqual(["signal", "other", "signal", "signal"]);
    expect(waiting[0]).not.toHaveProperty("once");
    await given(ledger(), { jobs: [once] });
    const [again, ...others] = await claim(ledger());
    expect(again).toMatchObject({ payload: "signal", attempts: 1 });
    expect(others).toEqual([]);
  });

  it("adds work that is wanted once when what waits is due later, or will never be done", async () => {
    await given(ledger(), { jobs: [job({ payload: "later", dueAt: NOON + 1 }), job({ payload: "dead" })] });
    const [dead] = await claim(ledger());
    await given(ledger(), { retried: [{ id: dead?.id ?? "", dueAt: null, error: "gone" }] });
    await given(ledger(), { jobs: ["later", "dead"].map((payload) => job({ payload, once: true })) });
    expect(payloads(await claim(ledger()))).toEqual(["later", "dead"]);
  });

  it("hands a job out again when its lease ran out, not a moment earlier, and counts the attempt", async () => {
    await given(ledger(), { jobs: [job()] });
    const [first] = await claim(ledger());
    expect(await claim(ledger(), { worker: "worker-2", now: NOON + MINUTE - 1 })).toEqual([]);
    const [second] = await claim(ledger(), { worker: "worker-2", now: NOON + MINUTE });
    expect(second).toEqual({ ...first, attempts: 2 });
  });

  it("keeps a job for a worker that renews its lease", async () => {
    await given(ledger(), { jobs: [job()] });
    const [mine] = await claim(ledger());
    const id = mine?.id ?? "";
    expect(await ledger().renewJobs([id], "worker-1", NOON + 30_000, MINUTE)).toEqual([id]);
    expect(await claim(ledger(), { now: NOON + MINUTE })).toEqual([]);
    expect(await claim(ledger(), { now: NOON + 90_000 })).toHaveLength(1);
  });

  it("renews a lease that ran out, as long as nobody took the job since", async () => {
    await given(ledger(), { jobs: [job()] });
    const [mine] = await claim(ledger());
    const ids = [mine?.id ?? ""];
    expect(await ledger().renewJobs(ids, "worker-1", NOON + 2 * MINUTE, MINUTE)).toEqual(ids);
    await claim(ledger(), { worker: "worker-2", now: NOON + 3 * MINUTE });
    expect(await ledger().renewJobs(ids, "worker-1", NOON + 3 * MINUTE, MINUTE)).toEqual([]);
    expect(await ledger().renewJobs(ids, "worker-2", NOON + 3 * MINUTE, MINUTE)).toEqual(ids);
  });

  it("renews only what a worker holds: no job of another, finished, retried, dead or unknown one", async () => {
    await given(ledger(), { jobs: ["mine", "finished", "retried", "dead"].map((payload) => job({ payload })) });
    const ids = (await claim(ledger())).map(({ id }) => id);
    const [mine = "", finished = "", retried = "", dead = ""] = ids;
    const error = "the store was away";
    await given(ledger(), {
      finished: [finished],
      retried: [
        { id: retried, dueAt: NOON + 1, error },
        { id: dead, dueAt: null, error },
      ],
    });
    expect(await ledger().renewJobs([...ids, "unknown"], "worker-1", NOON, MINUTE)).toEqual([mine]);
    expect(await ledger().renewJobs(ids, "worker-2", NOON, MINUTE)).toEqual([]);
    expect(await ledger().renewJobs([], "worker-1", NOON, MINUTE)).toEqual([]);
  });

  it("never hands one job to two workers that ask at once", async () => {
    const stores = ["hats", "shoes", "gloves", "bags", "belts", "scarves"];
    await given(ledger(), {
      jobs: Array.from({ length: 60 }, (_, index) => job({ storeId: stores[index % 6] ?? "" })),
    });
    const rounds = await Promise.all(
      Array.from({ length: 10 }, (_, index) => claim(ledger(), { worker: `worker-${index}`, limit: 7 })),
    );
    const ids = rounds.flat().map(({ id }) => id);
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
  });
}

export function jobsEnd(ledger: LedgerOfTest): void {
  it("never hands out a finished job again, even when its lease runs out or it is retried late", async () => {
    await given(ledger(), { jobs: [job()] });
    const [done] = await claim(ledger());
    const id = done?.id ?? "";
    await given(ledger(), { finished: [id, "unknown"] });
    await given(ledger(), { retried: [{ id, dueAt: NOON, error: "late" }], finished: [id] });
    expect(await claim(ledger(), { now: NOON + 60 * MINUTE })).toEqual([]);
    expect(await ledger().nextDueAt()).toBeNull();
  });

  it("hands a retried job out at its new time and goes on counting attempts", async () => {
    await given(ledger(), { jobs: [job()] });
    const [first] = await claim(ledger());
    const dueAt = NOON + 5 * MINUTE;
    await given(ledger(), { retried: [{ id: first?.id ?? "", dueAt, error: "the store was away" }] });
    expect(await claim(ledger(), { now: dueAt - 1 })).toEqual([]);
    const [second] = await claim(ledger(), { now: dueAt });
    expect(second).toEqual({ ...first, dueAt, attempts: 2 });
  });

  it("lets a retry be due before the old lease would have run out", async () => {
    await given(ledger(), { jobs: [job()] });
    const [first] = await claim(ledger());
    await given(ledger(), { retried: [{ id: first?.id ?? "", dueAt: NOON + 2, error: "busy" }] });
    expect(await claim(ledger(), { worker: "worker-2", now: NOON + 2 })).toHaveLength(1);
  });

  it("never hands out a dead letter by itself, only after somebody retries it", async () => {
    await given(ledger(), { jobs: [job()] });
    const [first] = await claim(ledger());
    await given(ledger(), { retried: [{ id: first?.id ?? "", dueAt: null, error: "reconnect the store" }] });
    expect(await claim(ledger(), { now: NOON + 1e10 })).toEqual([]);
    expect(await ledger().nextDueAt()).toBeNull();
    await given(ledger(), { retried: [{ id: first?.id ?? "", dueAt: NOON + 1, error: "reconnected" }] });
    expect(await claim(ledger(), { now: NOON + 1 })).toHaveLength(1);
  });

  it("knows when to look next: at the next due time, or where a lease would run out", async () => {
    expect(await ledger().nextDueAt()).toBeNull();
    await given(ledger(), { jobs: [job({ dueAt: NOON + 7 * MINUTE }), job({ storeId: "shoes", dueAt: NOON })] });
    expect(await ledger().nextDueAt()).toBe(NOON);
    await claim(ledger());
    expect(await ledger().nextDueAt()).toBe(NOON + MINUTE);
    const [again] = await claim(ledger(), { now: NOON + MINUTE });
    await given(ledger(), { finished: [again?.id ?? ""] });
    expect(await ledger().nextDueAt()).toBe(NOON + 7 * MINUTE);
  });
}
