import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, type TestContext, vi } from "vitest";
import type { LedgerOfTest } from "./payment-ledger-contract.ts";
import { claim, delivery, given, job, NOON } from "./samples.ts";

export function workersAreWoken(ledger: LedgerOfTest): void {
  const onWork = ({ skip }: TestContext, hear: () => void) => {
    return ledger().onNewJobs?.(hear) ?? skip("this ledger cannot tell");
  };

  it("wakes workers soon after a job or a webhook came, or a dead letter was retried", async (test) => {
    const hear = vi.fn();
    onWork(test, hear);
    const steps = [
      () => given(ledger(), { jobs: [job()] }),
      () => ledger().receive([delivery("paid")]),
      () => given(ledger(), { retried: [{ id: "1", dueAt: NOON, error: "again", anew: true }] }),
    ];
    for (const step of steps) {
      hear.mockClear();
      await step();
      await vi.waitFor(() => expect(hear).toHaveBeenCalled());
    }
  });

  it("wakes every worker, and none that no longer listens", async (test) => {
    const [one, two] = [vi.fn(), vi.fn()];
    onWork(test, one);
    const stop = onWork(test, two);
    stop();
    await given(ledger(), { jobs: [job()] });
    await vi.waitFor(() => expect(one).toHaveBeenCalled());
    expect(two).not.toHaveBeenCalled();
  });

  it("wakes nobody for what adds no work", async (test) => {
    await given(ledger(), { jobs: [job()] });
    const [mine] = await claim(ledger());
    await sleep(60);
    const hear = vi.fn();
    onWork(test, hear);
    await given(ledger(), { finished: [mine?.id ?? ""] });
    await given(ledger(), { retried: [{ id: "unknown", dueAt: null, error: "given up" }] });
    await ledger().receive([]);
    await sleep(60);
    expect(hear).not.toHaveBeenCalled();
  });
}
