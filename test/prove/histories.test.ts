import type { Payment, PaymentLedger } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { describe, expect, it } from "vitest";
import { checkHistory } from "./histories/check-history.ts";
import { runCalls } from "./histories/run-calls.ts";
import { testQuickShareOf } from "./quick-share.ts";
import { histories } from "./tiers/histories.ts";

testQuickShareOf(histories);

const START = Date.UTC(2026, 0, 6);

/** Runs histories of three workers on a slow ledger in one process, until one history has violations. */
async function violationsIn(
  count: number,
  damage: (ledger: PaymentLedger) => Partial<PaymentLedger>,
): Promise<string[]> {
  const violations: string[] = [];
  for (let number = 0; number < count && violations.length === 0; number += 1) {
    const memory = createMemoryLedger();
    const ledger = withDelays({ ...memory, ...damage(memory) });
    const runs = [0, 1, 2].map((index) =>
      runCalls(ledger, {
        worker: `worker ${index}`,
        marksFrom: index * 1_000,
        seed: number * 3 + index,
        calls: 24,
        name: `history ${number}`,
        startsAt: START,
        orders: 2,
      }),
    );
    violations.push(...(await checkHistory(memory, (await Promise.all(runs)).flat(), START)));
  }
  return violations;
}

function withDelays(ledger: PaymentLedger): PaymentLedger {
  const wait = () => new Promise((resolve) => setImmediate(resolve));
  const calls = Object.entries(ledger).map(([name, method]) => [
    name,
    async (...given: unknown[]) => {
      await wait();
      const answer: unknown = await Reflect.apply(method, ledger, given);
      await wait();
      return answer;
    },
  ]);
  return Object.fromEntries(calls);
}

describe("the history check", () => {
  it("a ledger that keeps its contract has a linearizable history", async () => {
    expect(await violationsIn(20, () => ({}))).toEqual([]);
  });

  it("the history check finds a ledger that overwrites a concurrent change", async () => {
    const violations = await violationsIn(20, (ledger) => ({
      async commit(change) {
        if (!change.payment) return await ledger.commit(change);
        const { next } = change.payment;
        const expect = (await ledger.find({ id: next.id }))?.version ?? "new";
        return await ledger.commit({ ...change, payment: { expect, next: { ...next, version: nextVersion(expect) } } });
      },
    }));
    expect(violations.join("\n")).toContain('"kind":"commit"');
  });

  it("the history check finds a ledger that ignores the fence", async () => {
    const violations = await violationsIn(80, (ledger) => ({
      commit: ({ fence: _, ...change }) => ledger.commit(change),
    }));
    expect(violations.join("\n")).toContain('"kind":"commit"');
  });

  it("the history check finds a ledger that gives one order's lease to two workers", async () => {
    const violations = await violationsIn(20, (ledger) => ({
      lockOrder: async (ref, worker, now, leaseMs) => await ledger.lockOrder(ref, worker, now + 50, leaseMs),
    }));
    expect(violations.join("\n")).toContain('"kind":"lock"');
  });

  it("the history check finds a ledger that gives one job to two workers", async () => {
    const violations = await violationsIn(20, (ledger) => ({
      claim: async (request) => await ledger.claim({ ...request, now: request.now + 50 }),
    }));
    expect(violations.join("\n")).toContain('"kind":"claim"');
  });

  it("the history check finds a ledger that answers from a stale copy", async () => {
    const violations = await violationsIn(20, (ledger) => {
      const copies = new Map<string, readonly Payment[]>();
      return {
        async paymentsOfOrder(ref) {
          const old = copies.get(ref.orderId);
          copies.set(ref.orderId, await ledger.paymentsOfOrder(ref));
          return old ?? [];
        },
      };
    });
    expect(violations.join("\n")).toContain('"kind":"read"');
  });

  it("the history check finds a ledger that stores the job of a rejected commit", async () => {
    const violations = await violationsIn(20, (ledger) => ({
      async commit({ jobs = [], ...change }) {
        await ledger.commit({ jobs, timeline: [] });
        return await ledger.commit(change);
      },
    }));
    expect(violations.join("\n")).toContain("refused commit");
  });

  it("the history check finds a ledger that loses jobs", async () => {
    const violations = await violationsIn(20, (ledger) => ({
      async receive(rows) {
        await ledger.receive(rows.filter(({ bytes }) => !new TextDecoder().decode(bytes).endsWith("body 1")));
      },
    }));
    expect(violations.join("\n")).toContain("were ever seen");
  });
});

function nextVersion(expect: number | "new"): number {
  return expect === "new" ? 1 : expect + 1;
}
