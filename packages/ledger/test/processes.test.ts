import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NewJob } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const NOON = Date.UTC(2026, 0, 6, 12);
const PROGRAM = fileURLToPath(new URL("programs/process.ts", import.meta.url));

let folder: string;
let url: string;
let ended: Promise<unknown>[];
beforeEach(() => {
  ended = [];
  folder = mkdtempSync(join(tmpdir(), "tillkit-ledger-"));
  url = `sqlite:${join(folder, "ledger.db")}`;
});
afterEach(async () => {
  await Promise.all(ended);
  rmSync(folder, { recursive: true, force: true });
});

/** Processes that have loaded their code and wait for "go", so that what follows really happens at once. */
async function processes(task: string, count: number): Promise<readonly ChildProcess[]> {
  const all = Array.from({ length: count }, (_, index) =>
    fork(PROGRAM, [task, url, `${task}-${index}`], { execArgv: ["--import", "tsx", "--conditions=@tillkit/source"] }),
  );
  ended.push(...all.map((child) => once(child, "exit")));
  await Promise.all(all.map((child) => once(child, "message")));
  return all;
}

/** What each says next after it was told to go on. */
async function answers(children: readonly ChildProcess[]): Promise<readonly unknown[]> {
  const said = children.map(async (child) => {
    const [answer] = await Promise.race([
      once(child, "message"),
      once(child, "exit").then(([code]) => [`exit ${code}`]),
    ]);
    return answer;
  });
  for (const child of children) child.send("go");
  return Promise.all(said);
}

// Starting a process takes a while on a busy machine.
const PATIENCE = { timeout: 60_000 };

describe("several processes on one ledger", PATIENCE, () => {
  it("start for the first time at once, eight of them, and all succeed", async () => {
    expect(await answers(await processes("open", 8))).toEqual(Array(8).fill("opened"));
  });

  it("share the jobs, and none of them gets one that another has", async () => {
    const ledger = await openLedger(url);
    const jobs = Array.from({ length: 300 }, (_, index): NewJob => {
      return { kind: "confirm", storeId: `store-${index % 12}`, paymentId: null, payload: "", dueAt: NOON };
    });
    await ledger.commit({ jobs, story: [] });
    await ledger.close();
    const workers = await processes("claim", 3);
    expect(await answers(workers)).toEqual(Array(3).fill("first round"));
    const claimed = (await answers(workers)) as string[][];
    expect(claimed.flat()).toHaveLength(300);
    expect(new Set(claimed.flat()).size).toBe(300);
  });

  it("ask for one order at once, and one gets it", async () => {
    await (await openLedger(url)).close();
    const fences = await answers(await processes("lock", 4));
    expect(fences.filter((fence) => fence === 1)).toHaveLength(1);
    expect(fences.filter((fence) => fence === null)).toHaveLength(3);
  });
});

describe("a process that is killed", PATIENCE, () => {
  it("loses no delivery that it had acknowledged, nor the job of one", async () => {
    await (await openLedger(url)).close();
    const acknowledged = new Set<string>();
    for (const child of await processes("receive", 3)) {
      const exit = once(child, "exit");
      const before = acknowledged.size;
      child.on("message", (digest) => {
        acknowledged.add(String(digest));
        if (acknowledged.size === before + 41) child.kill("SIGKILL");
      });
      child.send("go");
      expect(await exit).toEqual([null, "SIGKILL"]);
    }
    const ledger = await openLedger(url);
    const withJob = new Set<string>();
    for (;;) {
      const jobs = await ledger.claim({ worker: "after", now: NOON, leaseMs: 60_000, limit: 100 });
      if (jobs.length === 0) break;
      for (const { payload } of jobs) withJob.add(JSON.parse(payload).digest);
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(3 * 41);
    for (const digest of acknowledged) {
      expect(new TextDecoder().decode((await ledger.delivery("endpoint-1", digest))?.bytes)).toBe(digest);
      expect(withJob).toContain(digest);
    }
    await ledger.close();
  });
});
