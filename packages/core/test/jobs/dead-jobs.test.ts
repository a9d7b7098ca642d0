import { beforeEach, describe, expect, test } from "vitest";
import { endDeadJob, retryDeadJob } from "../../src/back-office.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";

const STOPPED = { code: "reconnect", message: "The shop refused our connection." };
const NOT_RECORDED = { code: "refund_not_recorded", message: "The shop no longer accepts this refund." };

describe("a person who answers a stopped job reads what became of the answer", () => {
  let fixture: EngineFixture;
  beforeEach(() => {
    fixture = createEngineFixture();
  });

  async function addDeadJob(error = STOPPED): Promise<string> {
    const { ledger, clock } = fixture;
    const job = { kind: "note", storeId: "shop", paymentId: null, payload: "", dueAt: clock.now() } as const;
    await ledger.commit({ jobs: [job], timeline: [] });
    const [added] = (await ledger.listJobs({ limit: 1 })).rows;
    const id = added?.id ?? "";
    await ledger.commit({ retried: [{ id, dueAt: null, error }], timeline: [] });
    return id;
  }

  test("a stopped job is retried", async () => {
    const id = await addDeadJob();
    expect(await retryDeadJob(fixture, id)).toBe("retried");
    expect((await fixture.ledger.listJobs({ id, limit: 1 })).rows).toMatchObject([
      { attempts: 0, readyAt: fixture.clock.now() },
    ]);
  });

  test("a job that somebody retried before is under way, and its lease goes on", async () => {
    const id = await addDeadJob();
    const { ledger, clock } = fixture;
    await retryDeadJob(fixture, id);
    await ledger.claim({ worker: "w", now: clock.now(), leaseMs: 60_000, limit: 1 });
    const readyAt = clock.now() + 60_000;
    expect(await retryDeadJob(fixture, id)).toBe("under_way");
    expect((await ledger.listJobs({ id, limit: 1 })).rows).toMatchObject([{ attempts: 1, readyAt }]);
  });

  test("a job that is done is gone", async () => {
    const id = await addDeadJob();
    await fixture.ledger.commit({ finished: [id], timeline: [] });
    expect(await retryDeadJob(fixture, id)).toBe("gone");
    expect(await retryDeadJob(fixture, "any text")).toBe("gone");
  });

  test("a job that only a person's own hand can end is never retried, and ends when they say so", async () => {
    const id = await addDeadJob(NOT_RECORDED);
    expect(await retryDeadJob(fixture, id)).toBe("by_hand");
    expect((await fixture.ledger.countJobs(fixture.clock.now())).dead).toBe(1);
    expect(await endDeadJob(fixture, id)).toBe("ended");
    expect(await endDeadJob(fixture, id)).toBe("gone");
    expect((await fixture.ledger.countJobs(fixture.clock.now())).dead).toBe(0);
  });

  test("a job that another attempt can finish is never ended by hand", async () => {
    const id = await addDeadJob();
    expect(await endDeadJob(fixture, id)).toBe("retryable");
    await retryDeadJob(fixture, id);
    expect(await endDeadJob(fixture, id)).toBe("under_way");
    expect((await fixture.ledger.listJobs({ id, limit: 1 })).rows).toHaveLength(1);
  });
});
