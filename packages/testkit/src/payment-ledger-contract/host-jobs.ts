import { limits } from "@tillkit/core";
import type { NewHostJob } from "@tillkit/core/ledger";
import { expect, it } from "vitest";
import {
  claim,
  commit,
  type GetLedger,
  givenPayments,
  job,
  NOON,
  payloads,
  payment,
  RECONNECT,
  UNAVAILABLE,
} from "./samples.ts";

const MINUTE = 60_000;
const KIND = "platform.task";
const OTHER_KIND = "platform.other";
const HOSTS = { hostKinds: [KIND] } as const;

function hostJob(uniqueKey: string, change: Partial<NewHostJob> = {}): NewHostJob {
  return { kind: KIND, storeId: "hats", paymentId: null, payload: uniqueKey, dueAt: NOON, uniqueKey, ...change };
}

/** Adds the job `key` of the store `hats` and claims it. */
async function givenClaimed(getLedger: GetLedger, key: string): Promise<string> {
  await commit(getLedger(), { jobs: [hostJob(key)] });
  const [claimed] = await claim(getLedger(), HOSTS);
  return claimed?.id ?? "";
}

export function testHostJobs(getLedger: GetLedger): void {
  testUniqueKeys(getLedger);
  testClaimsOfHostJobs(getLedger);
  testWaitsOfHostJobs(getLedger);
  testErasureOfHostJobs(getLedger);
}

function testUniqueKeys(getLedger: GetLedger): void {
  it("a key gets one job of a store, however often and however many at once ask for it", async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        commit(getLedger(), { jobs: [hostJob("refund 1", { payload: `${index}` })] }),
      ),
    );
    await commit(getLedger(), { jobs: [hostJob("refund 1"), hostJob("refund 1", { storeId: "shoes" })] });
    const claimed = await claim(getLedger(), HOSTS);
    expect(claimed.map(({ storeId }) => storeId).toSorted()).toEqual(["hats", "shoes"]);
    expect(await getLedger().jobByKey("hats", "refund 1")).toEqual({
      payload: claimed.find(({ storeId }) => storeId === "hats")?.payload,
      isDone: false,
    });
    expect(await getLedger().jobByKey("bags", "refund 1")).toBeNull();
  });

  it("a key gets no second job after its job is done, until the key is forgotten", async () => {
    const id = await givenClaimed(getLedger, "webhook 1");
    await commit(getLedger(), { finished: [id] });
    await commit(getLedger(), { jobs: [hostJob("webhook 1", { payload: "again" })] });
    expect(await claim(getLedger(), HOSTS)).toEqual([]);
    expect(await getLedger().jobByKey("hats", "webhook 1")).toEqual({ payload: "webhook 1", isDone: true });
    expect((await getLedger().listJobs({ limit: 9 })).rows).toEqual([]);
    expect(await getLedger().forgetJobs(NOON)).toBe(0);
    expect(await getLedger().forgetJobs(NOON + 1)).toBe(1);
    expect(await getLedger().jobByKey("hats", "webhook 1")).toBeNull();
    await commit(getLedger(), { jobs: [hostJob("webhook 1")] });
    expect(await claim(getLedger(), HOSTS)).toHaveLength(1);
  });

  it("the key of a job that waits or is a dead-letter job is never forgotten", async () => {
    const dead = await givenClaimed(getLedger, "dead");
    await commit(getLedger(), { retried: [{ id: dead, dueAt: null, error: RECONNECT }], jobs: [hostJob("waits")] });
    expect(await getLedger().forgetJobs(NOON + 1_000 * MINUTE)).toBe(0);
    await commit(getLedger(), { jobs: [hostJob("dead"), hostJob("waits")] });
    expect(payloads((await getLedger().listJobs({ limit: 9 })).rows)).toEqual(["waits", "dead"]);
  });

  it("a commit that is refused adds no key", async () => {
    await givenPayments(getLedger(), payment("p1", { state: "open" }));
    const change = {
      payment: { next: payment("p2", { state: "open" }), expect: "new" },
      jobs: [hostJob("refused")],
    } as const;
    expect(await getLedger().commit({ ...change, timeline: [] })).toBe("taken");
    expect(await getLedger().jobByKey("hats", "refused")).toBeNull();
    await commit(getLedger(), { jobs: [hostJob("refused")] });
    expect(await claim(getLedger(), HOSTS)).toHaveLength(1);
  });

  it("a retry replaces the payload that its worker read, and no other", async () => {
    const id = await givenClaimed(getLedger, "refund 1");
    const retry = { id, dueAt: NOON, error: UNAVAILABLE };
    await commit(getLedger(), { retried: [{ ...retry, payload: { from: "refund 1", to: "requested" } }] });
    expect(payloads(await claim(getLedger(), HOSTS))).toEqual(["requested"]);
    await commit(getLedger(), { retried: [{ ...retry, dueAt: NOON + 1, payload: { from: "refund 1", to: "late" } }] });
    const { rows } = await getLedger().listJobs({ limit: 9 });
    expect(rows).toMatchObject([{ kind: KIND, payload: "requested", readyAt: NOON + MINUTE }]);
    expect(await getLedger().jobByKey("hats", "refund 1")).toEqual({ payload: "refund 1", isDone: false });
  });
}

function testClaimsOfHostJobs(getLedger: GetLedger): void {
  it("only a process that names its kind claims a job of a host, and wakes up for it", async () => {
    await commit(getLedger(), { jobs: [hostJob("1"), job({ payload: "of a payment", dueAt: NOON + 5 })] });
    expect(await claim(getLedger())).toEqual([]);
    expect(await claim(getLedger(), { hostKinds: [OTHER_KIND] })).toEqual([]);
    expect(await getLedger().nextDueAt()).toBe(NOON + 5);
    expect(await getLedger().nextDueAt([])).toBe(NOON + 5);
    expect(await getLedger().nextDueAt([OTHER_KIND])).toBe(NOON + 5);
    expect(await getLedger().nextDueAt([OTHER_KIND, KIND])).toBe(NOON);
    expect(payloads(await claim(getLedger(), { hostKinds: [OTHER_KIND, KIND], now: NOON + 5 }))).toEqual(["1"]);
    expect(payloads(await claim(getLedger(), { now: NOON + 5 }))).toEqual(["of a payment"]);
  });

  it("jobs of hosts count, are listed, and are overdue like all jobs", async () => {
    const dead = await givenClaimed(getLedger, "dead");
    await commit(getLedger(), { retried: [{ id: dead, dueAt: null, error: RECONNECT }] });
    await commit(getLedger(), {
      jobs: [hostJob("due"), hostJob("later", { dueAt: NOON + 1, paymentId: "p1" })],
    });
    await commit(getLedger(), { jobs: [job()] });
    expect(await getLedger().countJobs(NOON)).toEqual({ due: 2, waiting: 1, dead: 1 });
    const listed = async (query: Parameters<ReturnType<GetLedger>["listJobs"]>[0]) =>
      payloads((await getLedger().listJobs(query)).rows);
    expect(await listed({ dead: true, limit: 9 })).toEqual(["dead"]);
    expect(await listed({ storeId: "hats", limit: 9 })).toEqual(["", "later", "due", "dead"]);
    expect(await listed({ storeId: "hats", kind: KIND, limit: 1 })).toEqual(["later"]);
    expect(await listed({ paymentId: "p1", limit: 9 })).toEqual(["", "later"]);
    expect(await listed({ readyBefore: NOON + 1, limit: 9 })).toEqual(["", "due"]);
  });

  it("1,000 due jobs of hosts of one store delay no job of a payment, and no job of a host of another store", {
    timeout: 60_000,
  }, async () => {
    const flood = Array.from({ length: 1_000 }, (_, index) => hostJob(`${index}`, { dueAt: NOON - MINUTE }));
    await commit(getLedger(), { jobs: flood });
    await commit(getLedger(), { jobs: [hostJob("of shoes", { storeId: "shoes" }), job({ payload: "of a payment" })] });
    expect(payloads(await claim(getLedger(), { limit: 1 }))).toEqual(["of a payment"]);
    const claimed = await claim(getLedger(), { ...HOSTS, limit: 100 });
    expect(claimed).toHaveLength(limits.claimedJobsPerStore + 1);
    expect(payloads(claimed)).toContain("of shoes");
  });
}

function testWaitsOfHostJobs(getLedger: GetLedger): void {
  it("a job of a host that a clock ahead of time scheduled waits as long as it was to wait", async () => {
    const ahead = NOON + 80 * 60 * MINUTE;
    await commit(getLedger(), { jobs: [hostJob("scheduled", { dueAt: ahead })] });
    const [scheduled] = await claim(getLedger(), { ...HOSTS, now: ahead });
    const retry = { id: scheduled?.id ?? "", dueAt: ahead + 2 * MINUTE, error: UNAVAILABLE, waitMs: 2 * MINUTE };
    await commit(getLedger(), { retried: [retry], jobs: [hostJob("added", { dueAt: ahead })] });
    // Claims of jobs about payments leave the jobs of hosts alone.
    await claim(getLedger());
    expect(await getLedger().nextDueAt([KIND])).toBe(ahead);
    expect(payloads(await claim(getLedger(), { ...HOSTS, leaseMs: 60 * MINUTE }))).toEqual(["added"]);
    expect(await claim(getLedger(), { ...HOSTS, now: NOON + 2 * MINUTE - 1 })).toEqual([]);
    expect(payloads(await claim(getLedger(), { ...HOSTS, now: NOON + 2 * MINUTE }))).toEqual(["scheduled"]);
  });

  it("a job of a host keeps a long wait that it was given", async () => {
    const id = await givenClaimed(getLedger, "erase");
    const waitMs = 12 * 60 * MINUTE;
    await commit(getLedger(), { retried: [{ id, dueAt: NOON + waitMs, error: UNAVAILABLE, waitMs }] });
    await claim(getLedger(), { ...HOSTS, now: NOON + MINUTE });
    expect(await getLedger().nextDueAt([KIND])).toBe(NOON + waitMs);
  });
}

function testErasureOfHostJobs(getLedger: GetLedger): void {
  it("a store that is erased leaves no job of a host and no key, except those of the job that runs", async () => {
    const dead = await givenClaimed(getLedger, "dead");
    await commit(getLedger(), { retried: [{ id: dead, dueAt: null, error: RECONNECT }] });
    const done = await givenClaimed(getLedger, "done");
    await commit(getLedger(), { finished: [done] });
    const running = await givenClaimed(getLedger, "running");
    await commit(getLedger(), { jobs: [hostJob("waits"), hostJob("waits", { storeId: "shoes" })] });
    expect(await getLedger().eraseStore("hats")).toEqual({ erased: 0, unfinished: 0 });
    expect(
      (await getLedger().listJobs({ limit: 9 })).rows.map(({ storeId, payload }) => `${storeId} ${payload}`),
    ).toEqual(["shoes waits", "hats running"]);
    const keys = ["dead", "done", "running", "waits"];
    const left = await Promise.all(keys.map((key) => getLedger().jobByKey("hats", key)));
    expect(left.map((known) => known !== null)).toEqual([false, false, true, false]);
    await commit(getLedger(), { finished: [running] });
    expect(await getLedger().jobByKey("hats", "running")).toMatchObject({ isDone: true });
  });

  it("a job of a host about a payment keeps nobody from pruning or erasing that payment", async () => {
    await givenPayments(getLedger(), payment("p1", { state: "closed" }));
    await commit(getLedger(), { jobs: [hostJob("1", { paymentId: "p1" })] });
    expect(await getLedger().prune({ before: NOON + 1, limit: 9 })).toEqual({ payments: 1, deliveries: 0 });
    expect(await getLedger().eraseOrders([payment("p1").ref])).toEqual({ erased: 1, unfinished: 0 });
    expect(await getLedger().eraseStore("hats")).toEqual({ erased: 1, unfinished: 0 });
  });
}
