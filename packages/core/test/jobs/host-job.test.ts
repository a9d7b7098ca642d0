import { describe, expect, test } from "vitest";
import { retryDeadJob } from "../../src/back-office.ts";
import { limits } from "../../src/domain/limits.ts";
import type { HostJobResult } from "../../src/hosts.ts";
import { type Engine, runDue } from "../../src/index.ts";
import { isHostJobKind, type Job, type NewHostJob } from "../../src/ledger.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";

const SECOND = 1_000;
const KIND = "platform.task";

function openHost(run: (job: Job) => Promise<HostJobResult>) {
  const names = { fr: "Tâche", en: "Task" };
  const fixture = createEngineFixture({ hostJobs: { [KIND]: { names, run } } });
  const { ledger, clock } = fixture;
  const add = async (uniqueKey: string, change: Partial<NewHostJob> = {}) => {
    const job = { kind: KIND, storeId: "shop", paymentId: null, payload: "0", dueAt: clock.now(), uniqueKey } as const;
    await ledger.commit({ jobs: [{ ...job, ...change }], timeline: [] });
  };
  return { ...fixture, add, jobs: async () => (await ledger.listJobs({ limit: 1_000 })).rows };
}

const done = async (): Promise<HostJobResult> => "done";

/** A job that goes on until its payload has counted to this number. */
const countTo =
  (end: number, retryAt: () => number) =>
  async ({ payload }: Job): Promise<HostJobResult> =>
    Number(payload) === end ? "done" : { retryAt: retryAt(), payload: String(Number(payload) + 1) };

/** Runs the due jobs once in each second, and returns the seconds in which one ran. */
async function runForSeconds(engine: Engine, clock: ReturnType<typeof openHost>["clock"], seconds: number) {
  const ranIn: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    const { done: ended, retried, dead } = await runDue(engine);
    if (ended + retried + dead > 0) ranIn.push(second);
    await clock.advance(SECOND);
  }
  return ranIn;
}

describe("a job of a host", () => {
  test("a job goes on at its time with what it knows by then, and each step counts its attempts anew", async () => {
    const attempts: number[] = [];
    const step = countTo(2, () => clock.now() + 30 * SECOND);
    const { engine, clock, add, jobs } = openHost(async (job) => {
      attempts.push(job.attempts);
      return await step(job);
    });
    await add("notify");
    expect(await runForSeconds(engine, clock, 45)).toEqual([0, 30]);
    expect(await jobs()).toMatchObject([{ payload: "2", attempts: 0, error: { code: "scheduled" } }]);
    expect(await runForSeconds(engine, clock, 45)).toEqual([15]);
    expect(await jobs()).toEqual([]);
    expect(attempts).toEqual([1, 1, 1]);
  });

  test("a job that is due again at the same moment runs in the next round", async () => {
    const { engine, clock, add, jobs } = openHost(countTo(2, () => clock.now()));
    await add("notify");
    for (let round = 0; round < 3; round += 1) await runDue(engine);
    expect(await jobs()).toEqual([]);
  });

  test("a job that throws is tried again with growing delays, and keeps what it knew", async () => {
    let failuresLeft = 3;
    const { engine, clock, add, jobs } = openHost(async () => {
      failuresLeft -= 1;
      if (failuresLeft >= 0) throw new Error("The shop is asleep.");
      return "done";
    });
    await add("notify");
    await runDue(engine);
    expect(await jobs()).toMatchObject([{ kind: KIND, payload: "0", attempts: 1, error: { code: "unexpected" } }]);
    const [first = 0, second = 0, third = 0, ...more] = await runForSeconds(engine, clock, 60);
    expect(more).toEqual([]);
    expect(second - first).toBeGreaterThan(first);
    expect(third - second).toBeGreaterThan(second - first);
    expect(await jobs()).toEqual([]);
  });

  test("a dead job is a dead-letter job with its reason, and runs again with what it knew when a person retries it", async () => {
    let isInstalled = false;
    const error = { code: "not_installed", message: "Install the app again." };
    const seen: string[] = [];
    const { engine, add, jobs, clock, ledger } = openHost(async ({ payload }) => {
      seen.push(payload);
      return isInstalled ? "done" : { dead: error, payload: "refused" };
    });
    await add("notify");
    expect(await runDue(engine)).toEqual({ done: 0, retried: 0, dead: 1 });
    const [dead] = await jobs();
    expect(dead).toMatchObject({ readyAt: null, error, payload: "refused" });
    expect((await ledger.countJobs(clock.now())).dead).toBe(1);
    await clock.advance(100 * limits.retryMaxMs);
    expect(await runDue(engine)).toEqual({ done: 0, retried: 0, dead: 0 });
    isInstalled = true;
    await retryDeadJob({ ledger, clock }, dead?.id ?? "");
    expect(await runDue(engine)).toEqual({ done: 1, retried: 0, dead: 0 });
    expect(seen).toEqual(["0", "refused"]);
  });

  test("another process runs the job of a dead process once its lease is over", async () => {
    let isDead = true;
    const { engine, anotherProcess, clock, add } = openHost(async () =>
      isDead ? await new Promise<never>(() => undefined) : "done",
    );
    await add("notify");
    void runDue(engine);
    await new Promise((resolve) => setImmediate(resolve));
    isDead = false;
    // The dead process renews its lease no longer.
    const successor = anotherProcess("two", { ...clock, now: () => clock.now() + limits.jobLeaseMs });
    expect((await runDue(anotherProcess("three"))).done).toBe(0);
    expect((await runDue(successor)).done).toBe(1);
  });

  test("each job runs in one of several processes", async () => {
    let runs = 0;
    const { anotherProcess, add } = openHost(async () => {
      runs += 1;
      return "done";
    });
    for (let index = 0; index < 30; index += 1) await add(`${index}`, { storeId: `shop ${index % 10}` });
    const processes = ["one", "two", "three"].map((name) => anotherProcess(name));
    for (let round = 0; round < 3; round += 1) await Promise.all(processes.map((engine) => runDue(engine)));
    expect(runs).toBe(30);
  });

  test("jobs of hosts whose platform hangs keep no job of a payment waiting, and no other store", async () => {
    const hanging = new Set<string>();
    const { engine, clock, ledger, add, jobs } = openHost(async ({ storeId }) => {
      hanging.add(storeId ?? "");
      return await new Promise<never>(() => undefined);
    });
    for (let store = 0; store < 20; store += 1)
      for (let index = 0; index < 30; index += 1) await add(`${index}`, { storeId: `shop ${store}` });
    for (let round = 0; round < 100; round += 1) {
      void runDue(engine);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const claimed = (await jobs()).filter(({ kind, attempts }) => isHostJobKind(kind) && attempts > 0);
    expect(claimed).toHaveLength(limits.hostJobsAtOnce);
    expect(hanging.size).toBe(20);
    const note = { kind: "note", storeId: "shop 1", paymentId: null, payload: "", dueAt: clock.now() } as const;
    await ledger.commit({ jobs: [note], timeline: [] });
    const { retried } = await runDue(engine);
    expect(retried).toBe(1);
  });

  test("a process without this host leaves its jobs alone", async () => {
    const { ledger, add, jobs } = openHost(done);
    await add("notify");
    const { engine: other } = createEngineFixture({ wrapLedger: () => ledger });
    expect(await runDue(other)).toEqual({ done: 0, retried: 0, dead: 0 });
    expect(await jobs()).toMatchObject([{ attempts: 0, error: null }]);
  });
});
