import type { Clock, PaymentLedger } from "@tillkit/core";
import { resolveWithin } from "@tillkit/core/hosts";
import { runtimeLimits } from "../limits.ts";
import type { WorkTimer } from "../timer/work-timer.ts";

/** `lagMs`: how long the oldest due job has been waiting; null when the ledger did not answer. */
export type Health = {
  readonly ok: boolean;
  readonly ledger: "reachable" | "unreachable";
  readonly timer: { readonly running: boolean; readonly lagMs: number | null };
};

/** `ok` while the ledger answers. Without a ledger no webhook can be stored, so this process should get no traffic. */
export async function readHealth(ledger: PaymentLedger, timer: WorkTimer, clock: Clock): Promise<Health> {
  const lagMs = await readLagMs(ledger, clock);
  const ok = lagMs !== null;
  return { ok, ledger: ok ? "reachable" : "unreachable", timer: { running: timer.isRunning(), lagMs } };
}

/** How long the oldest due job has been waiting, in milliseconds; null when the ledger does not answer. */
export async function readLagMs(ledger: PaymentLedger, clock: Clock): Promise<number | null> {
  // Without jobs the lag is 0. Infinity replaces the ledger's null, because null means here that the ledger did not answer.
  const nextDueAt = ledger.nextDueAt().then((dueAt) => dueAt ?? Number.POSITIVE_INFINITY);
  const dueAt = await resolveWithin(clock, runtimeLimits.ledgerTimeoutMs, nextDueAt).catch(() => null);
  return dueAt === null ? null : Math.max(0, clock.now() - dueAt);
}
