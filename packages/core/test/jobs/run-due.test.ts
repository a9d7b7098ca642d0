import { describe, expect, it } from "vitest";
import { retryDeadJob } from "../../src/back-office.ts";
import { confirmPayment, limits, runDue, StoreError } from "../../src/index.ts";
import type { Job } from "../../src/ledger.ts";
import { runUnderLease } from "../../src/stores/leases.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { passTime, startAndPay } from "../fixture/steps.ts";

describe("dead-letter jobs and leases", () => {
  it("a dead-letter job that is retried runs again and counts its attempts anew", async () => {
    let isCorrected = false;
    const claimed: Job[] = [];
    const fixture: EngineFixture = createEngineFixture({
      store: {
        markPaid: async () => {
          if (!isCorrected) throw new StoreError("owner", "The order asks another amount.");
          return { outcome: "recorded", evidence: "read-back" };
        },
      },
      wrapLedger: (ledger) => ({
        ...ledger,
        claim: async (request) => {
          const jobs = await ledger.claim(request);
          claimed.push(...jobs);
          return jobs;
        },
      }),
    });
    const paymentId = await startAndPay(fixture);
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    await passTime(fixture, { ms: 60_000, stepMs: 1_000 });
    await fixture.expectPaymentIn("verified");
    isCorrected = true;
    const deadIds = claimed.map(({ id }) => id);
    for (const id of deadIds) await retryDeadJob(fixture, id);
    await passTime(fixture, { ms: 5_000, stepMs: 1_000 });
    await fixture.expectPaymentIn("recorded");
    expect(claimed.slice(deadIds.length)).toMatchObject([{ id: deadIds[0], attempts: 1 }]);
  });

  it("a running job is not started by a second worker", async () => {
    let writes = 0;
    const fixture: EngineFixture = createEngineFixture({
      store: {
        markPaid: async () => {
          writes += 1;
          await fixture.clock.sleep(15_000);
          return { outcome: "recorded", evidence: "read-back" };
        },
        // The job takes 34 seconds. Without a renewal, its lease would expire after 20 seconds.
        findOrder: async () => {
          await fixture.clock.sleep(19_000);
          return anOrder();
        },
      },
      wrapLedger: (ledger) => ({
        ...ledger,
        claim: (request) => ledger.claim({ ...request, leaseMs: 20_000 }),
        renewJobs: (ids, worker, now) => ledger.renewJobs(ids, worker, now, 90_000),
      }),
    });
    await startAndPay(fixture);
    await fixture.clock.advance(2 * 60_000);
    const first = runDue(fixture.engine);
    await fixture.clock.advance(31_000);
    expect(await runDue(fixture.anotherProcess("two"))).toEqual({ done: 0, retried: 0, dead: 0 });
    await fixture.clock.advance(60_000);
    await first;
    expect(writes).toBe(1);
  });

  it("a running job keeps its lease although another job of the same run failed", async () => {
    const renewed: string[][] = [];
    const fixture: EngineFixture = createEngineFixture({
      wrapLedger: (ledger) => ({
        ...ledger,
        renewJobs: async (ids) => {
          renewed.push([...ids]);
          return ids;
        },
      }),
    });
    const job = { kind: "note", storeId: null, paymentId: null, payload: "", dueAt: 0, attempts: 1 } as const;
    const run = runUnderLease(
      fixture.engine,
      ["broken", "slow"].map((id) => ({ ...job, id })),
      async ({ id }) => {
        if (id === "broken") throw new Error("The database is away.");
        await fixture.clock.sleep(limits.jobLeaseMs);
      },
    );
    const ended = expect(run).rejects.toThrow("The database is away.");
    await fixture.clock.advance(limits.jobLeaseMs + 1);
    await ended;
    expect(renewed).toEqual([["slow"], ["slow"]]);
  });
});
