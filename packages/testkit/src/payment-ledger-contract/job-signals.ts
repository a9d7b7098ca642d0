import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, type TestContext, vi } from "vitest";
import type { LedgerOfTest } from "./samples.ts";
import { claim, delivery, given, job, NOON } from "./samples.ts";

export function workersAreWoken(ledger: LedgerOfTest): void {
  const onWork = ({ skip }: TestContext, hear: () => void) => {
    return ledger().onNewJobs?.(hear) ?? skip("this ledger cannot tell");
  };

  it("workers are notified soon after a new job, a webhook or the retry of a dead-letter job", async (test) => {
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

  it("every listening worker is notified, and no worker that stopped listening", async (test) => {
    const [one, two] = [vi.fn(), vi.fn()];
    onWork(test, one);
    const stop = onWork(test, two);
    stop();
    await given(ledger(), { jobs: [job()] });
    await vi.waitFor(() => expect(one).toHaveBeenCalled());
    expect(two).not.toHaveBeenCalled();
  });

  it("a commit without new jobs notifies no worker", async (test) => {
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
