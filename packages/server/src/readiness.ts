import { type Clock, type PaymentLedger, resolveWithin } from "@tillkit/core";
import type { RequestHandler } from "express";
import type { ClockWatch } from "./clock-watch.ts";
import { hostLimits } from "./limits.ts";
import { hasView } from "./whole-ledger.ts";
import type { WorkTimer } from "./work-timer.ts";

/** `timer`: `off` in a process that only receives. `lagMs`: for how long the oldest piece of due work has been waiting. */
export type Readiness = {
  readonly ready: boolean;
  readonly ledger: "ready" | "unreachable" | "tables_differ" | "clock_differs";
  readonly timer: "off" | "alive" | "stuck";
  readonly lagMs: number | null;
};

export type ReadinessOptions = {
  readonly ledger: PaymentLedger;
  readonly timer: WorkTimer;
  readonly clock: Clock;
  readonly clocks: ClockWatch;
};

/**
 * 200 while this process does its part: the ledger answers and its tables are of this version, the timer, where it was
 * started, is alive, no work has been waiting for longer than ten minutes, and its clock agrees. 503 otherwise.
 */
export function createReadinessRoute({ ledger, timer, clock, clocks }: ReadinessOptions): RequestHandler {
  async function look(): Promise<Readiness> {
    const dueAt = ledger.nextDueAt().then((at) => at ?? Number.POSITIVE_INFINITY);
    const at = await resolveWithin(clock, hostLimits.ledgerMs, dueAt).catch(() => null);
    const lagMs = at === null ? null : Math.max(0, clock.now() - at);
    const seen = timerSeen(timer, clock);
    if (lagMs === null) return { ready: false, ledger: "unreachable", timer: seen, lagMs };
    if (!(await tablesFit(ledger))) return { ready: false, ledger: "tables_differ", timer: seen, lagMs };
    if (!(await clocks.agrees())) return { ready: false, ledger: "clock_differs", timer: seen, lagMs };
    const keepsUp = seen === "off" || (seen === "alive" && lagMs <= hostLimits.lagMs);
    return { ready: keepsUp, ledger: "ready", timer: seen, lagMs };
  }

  // The list of deliveries reads columns of the newest tables.
  async function tablesFit(given: PaymentLedger): Promise<boolean> {
    if (!hasView(given)) return true;
    const read = given.listDeliveries({ limit: 1 }).then(
      () => true,
      () => false,
    );
    return (await resolveWithin(clock, hostLimits.ledgerMs, read)) === true;
  }

  return async function readiness(_request, response) {
    const body = await look();
    response.writeHead(body.ready ? 200 : 503, {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
    });
    response.end(`${JSON.stringify(body)}\n`);
  };
}

function timerSeen(timer: WorkTimer, clock: Clock): Readiness["timer"] {
  const seenAt = timer.seenAt();
  if (seenAt === null) return "off";
  return timer.isRunning() && clock.now() - seenAt <= hostLimits.timerSeenMs ? "alive" : "stuck";
}
