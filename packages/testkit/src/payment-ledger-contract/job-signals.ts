import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, type TestContext, vi } from "vitest";
import type { LedgerOfTest } from "./samples.ts";
import { claim, commit, delivery, job, NOON, UNAVAILABLE } from "./samples.ts";

export function testJobNotifications(ledger: LedgerOfTest): void {
  const listenForJobs = ({ skip }: TestContext, listener: () => void) => {
    return ledger().onNewJobs?.(listener) ?? skip("this ledger does not notify workers");
  };

  it("workers are notified soon after a new job, a webhook or the retry of a dead-letter job", async (test) => {
    const listener = vi.fn();
    listenForJobs(test, listener);
    const steps = [
      () => commit(ledger(), { jobs: [job()] }),
      () => ledger().receive([delivery("paid")]),
      () => commit(ledger(), { retried: [{ id: "1", dueAt: NOON, error: UNAVAILABLE, resetAttempts: true }] }),
    ];
    for (const step of steps) {
      listener.mockClear();
      await step();
      await vi.waitFor(() => expect(listener).toHaveBeenCalled());
    }
  });

  it("every listening worker is notified, and no worker that stopped listening", async (test) => {
    const [one, two] = [vi.fn(), vi.fn()];
    listenForJobs(test, one);
    const stop = listenForJobs(test, two);
    stop();
    await commit(ledger(), { jobs: [job()] });
    await vi.waitFor(() => expect(one).toHaveBeenCalled());
    expect(two).not.toHaveBeenCalled();
  });

  it("a commit without new jobs notifies no worker", async (test) => {
    await commit(ledger(), { jobs: [job()] });
    const [mine] = await claim(ledger());
    await sleep(60);
    const listener = vi.fn();
    listenForJobs(test, listener);
    await commit(ledger(), { finished: [mine?.id ?? ""] });
    await commit(ledger(), { retried: [{ id: "unknown", dueAt: null, error: UNAVAILABLE }] });
    await ledger().receive([]);
    await sleep(60);
    expect(listener).not.toHaveBeenCalled();
  });
}
