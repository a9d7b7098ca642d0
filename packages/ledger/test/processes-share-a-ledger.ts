import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createStoredTenants } from "@tillkit/core/hosts";
import type { NewJob } from "@tillkit/core/ledger";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { createManualClock } from "@tillkit/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram, type Program } from "../../../test/programs/bundle-program.ts";

const NOON = Date.UTC(2026, 0, 6, 12);
const PROGRAM = new URL("programs/process.ts", import.meta.url);
/** A process stores four deliveries at a time. This number kills it after the first of four deliveries was acknowledged. */
const DELIVERIES_BEFORE_KILL = 41;
const CHANGES_BEFORE_KILL = 11;
const secretKeys = ["a key of the tests, which is long enough"];

/** The tests of processes that share a ledger. `url` returns the empty database of the running test. */
export function processesShareALedger(where: string, url: () => string): void {
  let program: Program;
  beforeAll(async () => {
    program = await bundleProgram(PROGRAM);
  });
  afterAll(() => program.remove());

  let ended: Promise<unknown>[] = [];
  afterEach(async () => {
    await Promise.all(ended);
    ended = [];
  });
  const processes = async (task: string, count: number) => {
    const all = await startProcesses(program.file, url(), task, count);
    ended.push(...all.map((child) => once(child, "exit")));
    return all;
  };

  describe(`several processes on one ledger ${where}`, () => {
    it("eight processes that create the tables at the same time all succeed", async () => {
      expect(await continueAll(await processes("open", 8))).toEqual(Array(8).fill("opened"));
    });

    it("three processes share the jobs, and no job goes to two of them", async () => {
      const ledger = await openLedger(url());
      const jobs = Array.from({ length: 300 }, (_, index): NewJob => {
        return { kind: "confirm", storeId: `store-${index % 12}`, paymentId: null, payload: "", dueAt: NOON };
      });
      await ledger.commit({ jobs, timeline: [] });
      await ledger.close();
      const workers = await processes("claim", 3);
      expect(await continueAll(workers)).toEqual(Array(3).fill("first round"));
      const claimed = (await continueAll(workers)) as string[][];
      expect(claimed.flat()).toHaveLength(300);
      expect(new Set(claimed.flat()).size).toBe(300);
    });

    it("four processes lock the same order, and one of them gets the lock", async () => {
      await (await openLedger(url())).close();
      const fences = await continueAll(await processes("lock", 4));
      expect(fences.filter((fence) => fence === 1)).toHaveLength(1);
      expect(fences.filter((fence) => fence === null)).toHaveLength(3);
    });

    it("four processes together make no more calls than the limit of their key", async () => {
      await (await openLedger(url())).close();
      const spent = (await continueAll(await processes("spend", 4))) as number[];
      expect(spent.reduce((sum, calls) => sum + calls, 0)).toBe(100);
    });
  });

  describe(`a killed process on a ledger ${where}`, () => {
    it("a killed process loses no acknowledged delivery, and no job of an acknowledged delivery", async () => {
      await (await openLedger(url())).close();
      const acknowledged = new Set<string>();
      for (const child of await processes("receive", 3)) await killAfter(child, DELIVERIES_BEFORE_KILL, acknowledged);
      const ledger = await openLedger(url());
      const withJob = await digestsWithJob(ledger);
      expect(acknowledged.size).toBeGreaterThanOrEqual(3 * DELIVERIES_BEFORE_KILL);
      for (const digest of acknowledged) {
        expect(new TextDecoder().decode((await ledger.delivery("endpoint-1", digest))?.bytes)).toBe(digest);
        expect(withJob).toContain(digest);
      }
      await ledger.close();
    });

    it("a killed process leaves every credential whole, and the others hear of all that it acknowledged", async () => {
      const [here, fresh] = [await openLedger(url(), { secretKeys }), await openLedger(url(), { secretKeys })];
      const clock = createManualClock();
      const tenants = createStoredTenants({ credentials: here.credentials, clock });
      for (const child of await processes("credential", 3)) {
        const acknowledged = new Set<string>();
        await killAfter(child, CHANGES_BEFORE_KILL, acknowledged);
        await clock.advance(5_000);
        const { id } = await tenants.credentialFor("hats", "test");
        const [owner] = await fresh.credentials.find({ storeId: "hats" });
        expect(id).toBe(owner?.id);
        // The process may have changed the credential once more than it could say.
        expect(numberOf(owner?.webhookSecrets[0])).toBeGreaterThanOrEqual(numberOf([...acknowledged].at(-1)));
        expect((await tenants.endpoint("endpoint"))?.secrets[0]).toBe(owner?.webhookSecrets[0]);
        const listed = await tenants.list();
        expect(listed.filter(({ storeIds }) => storeIds.includes("hats")).map((one) => one.id)).toEqual([id]);
        for (const { id: listedId, storeIds } of listed)
          for (const storeId of storeIds) expect((await tenants.credentialFor(storeId, "test")).id).toBe(listedId);
      }
      await Promise.all([here.close(), fresh.close()]);
    });
  });
}

/** The number at the end of a webhook secret. */
function numberOf(secret: string | undefined): number {
  return Number(secret?.split("-").at(-1));
}

/** Starts processes that load their code and then wait for "go", so that their tasks run at the same time. */
async function startProcesses(
  file: string,
  url: string,
  task: string,
  count: number,
): Promise<readonly ChildProcess[]> {
  const all = Array.from({ length: count }, (_, index) =>
    fork(file, [task, url, `${task}-${index}`], { execArgv: [] }),
  );
  await Promise.all(all.map((child) => once(child, "message")));
  return all;
}

/** Sends "go" to every process and returns the next message of each. */
async function continueAll(children: readonly ChildProcess[]): Promise<readonly unknown[]> {
  const messages = children.map(async (child) => {
    const [answer] = await Promise.race([
      once(child, "message"),
      once(child, "exit").then(([code]) => [`exit ${code}`]),
    ]);
    return answer;
  });
  for (const child of children) child.send("go");
  return Promise.all(messages);
}

/** Kills a process after `count` acknowledgements, while it goes on with its task. */
async function killAfter(child: ChildProcess, count: number, acknowledged: Set<string>): Promise<void> {
  const exit = once(child, "exit");
  const before = acknowledged.size;
  child.on("message", (digest) => {
    acknowledged.add(String(digest));
    if (acknowledged.size === before + count) child.kill("SIGKILL");
  });
  child.send("go");
  expect(await exit).toEqual([null, "SIGKILL"]);
}

async function digestsWithJob(ledger: Ledger): Promise<ReadonlySet<string>> {
  const digests = new Set<string>();
  for (;;) {
    const jobs = await ledger.claim({ worker: "after", now: NOON, leaseMs: 60_000, limit: 100 });
    if (jobs.length === 0) return digests;
    for (const { payload } of jobs) digests.add(JSON.parse(payload).digest);
  }
}
