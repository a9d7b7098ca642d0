import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, type TestContext, vi } from "vitest";
import type { GetLedger } from "./samples.ts";
import { claim, commit, delivery, job, NOON, UNAVAILABLE } from "./samples.ts";

/** Longer than a notification takes. */
const NOTIFICATION_MS = 60;

export function testJobNotifications(getLedger: GetLedger): void {
  const listenForJobs = ({ skip }: TestContext, listener: () => void) => {
    return getLedger().onNewJobs?.(listener) ?? skip("this ledger does not notify workers");
  };

  it("workers are notified soon after a new job, a webhook or the retry of a dead-letter job", async (test) => {
    const listener = vi.fn();
    listenForJobs(test, listener);
    const waysToAddJob = [
      () => commit(getLedger(), { jobs: [job()] }),
      () => getLedger().receive([delivery("paid")]),
      () => commit(getLedger(), { retried: [{ id: "1", dueAt: NOON, error: UNAVAILABLE, resetAttempts: true }] }),
    ];
    for (const addJob of waysToAddJob) {
      listener.mockClear();
      await addJob();
      await vi.waitFor(() => expect(listener).toHaveBeenCalled());
    }
  });

  it("a listening worker is notified, and a worker that stopped listening is not", async (test) => {
    const [one, two] = [vi.fn(), vi.fn()];
    listenForJobs(test, one);
    const stop = listenForJobs(test, two);
    stop();
    await commit(getLedger(), { jobs: [job()] });
    await vi.waitFor(() => expect(one).toHaveBeenCalled());
    expect(two).not.toHaveBeenCalled();
  });

  it("a commit without new jobs notifies no worker", async (test) => {
    await commit(getLedger(), { jobs: [job()] });
    const [claimed] = await claim(getLedger());
    await sleep(NOTIFICATION_MS);
    const listener = vi.fn();
    listenForJobs(test, listener);
    await commit(getLedger(), { finished: [claimed?.id ?? ""] });
    await commit(getLedger(), { retried: [{ id: "unknown", dueAt: null, error: UNAVAILABLE }] });
    await getLedger().receive([]);
    await sleep(NOTIFICATION_MS);
    expect(listener).not.toHaveBeenCalled();
  });
}
