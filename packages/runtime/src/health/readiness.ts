import type { Clock, PaymentLedger } from "@tillkit/core";
import { resolveWithin } from "@tillkit/core/hosts";
import type { LedgerCondition } from "@tillkit/core/ledger";
import { canList } from "../ledger/ledger-capabilities.ts";
import { runtimeLimits } from "../limits.ts";
import type { ClockCheck } from "../timer/clock-check.ts";
import type { WorkTimer } from "../timer/work-timer.ts";
import { readLagMs } from "./health.ts";

/** `timer` is `off` in a process that only receives webhooks. `lagMs`: how long the oldest due job has been waiting. */
export type Readiness = {
  readonly ready: boolean;
  readonly ledger: LedgerCondition | "unreachable" | "tables_differ" | "clock_differs";
  readonly timer: "off" | "alive" | "stuck";
  readonly lagMs: number | null;
};

export type ReadinessOptions = {
  readonly ledger: PaymentLedger;
  readonly timer: WorkTimer;
  readonly clock: Clock;
  readonly clockCheck: ClockCheck;
};

/**
 * `ready` while the ledger takes writes, its tables are of this version, a started timer is alive, no due job has been waiting for
 * longer than ten minutes, and the machine's clock is right.
 */
export async function readReadiness({ ledger, timer, clock, clockCheck }: ReadinessOptions): Promise<Readiness> {
  const lagMs = await readLagMs(ledger, clock);
  const facts = { timer: timerState(timer, clock), lagMs };
  if (lagMs === null) return { ready: false, ledger: "unreachable", ...facts };
  const condition = (await resolveWithin(clock, runtimeLimits.ledgerTimeoutMs, readCondition(ledger))) ?? "unreachable";
  if (condition !== "ready") return { ready: false, ledger: condition, ...facts };
  if (!(await hasCurrentTables(ledger, clock))) return { ready: false, ledger: "tables_differ", ...facts };
  if (!(await clockCheck.isInSync())) return { ready: false, ledger: "clock_differs", ...facts };
  const keepsUp = facts.timer === "off" || (facts.timer === "alive" && lagMs <= runtimeLimits.maxLagMs);
  return { ready: keepsUp, ledger: "ready", ...facts };
}

async function readCondition(ledger: PaymentLedger): Promise<LedgerCondition | null> {
  if (ledger.condition === undefined) return "ready";
  return await ledger.condition().catch(() => null);
}

// The list of deliveries reads columns that old tables lack, so it fails on them.
async function hasCurrentTables(ledger: PaymentLedger, clock: Clock): Promise<boolean> {
  if (!canList(ledger)) return true;
  const isReadable = ledger.listDeliveries({ limit: 1 }).then(
    () => true,
    () => false,
  );
  return (await resolveWithin(clock, runtimeLimits.ledgerTimeoutMs, isReadable)) === true;
}

export type Liveness = { readonly alive: boolean; readonly timer: Readiness["timer"] };

/**
 * `alive` while the process answers and a started timer still looks for jobs, also while the ledger is down: restarting the processes
 * would not repair the ledger.
 */
export function readLiveness({ timer, clock }: Pick<ReadinessOptions, "timer" | "clock">): Liveness {
  const state = timerState(timer, clock);
  return { alive: state !== "stuck", timer: state };
}

function timerState(timer: WorkTimer, clock: Clock): Readiness["timer"] {
  const lastRoundAt = timer.lastRoundAt();
  if (lastRoundAt === null) return "off";
  return timer.isRunning() && clock.now() - lastRoundAt <= runtimeLimits.timerAliveMs ? "alive" : "stuck";
}
