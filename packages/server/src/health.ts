import { type Clock, type PaymentLedger, resolveWithin } from "@tillkit/core";
import type { RequestHandler } from "express";
import { hostLimits } from "./limits.ts";
import type { WorkTimer } from "./work-timer.ts";

/** `lagMs`: for how long the oldest piece of due work has been waiting; null when the ledger did not answer. */
export type Health = {
  readonly ok: boolean;
  readonly ledger: "reachable" | "unreachable";
  readonly timer: { readonly running: boolean; readonly lagMs: number | null };
};

/** 200 while the ledger answers, 503 otherwise: without it no webhook can be kept, so no traffic should come here. */
export function createHealthRoute(ledger: PaymentLedger, timer: WorkTimer, clock: Clock): RequestHandler {
  async function lag(): Promise<number | null> {
    const dueAt = ledger.nextDueAt().then((at) => at ?? Number.POSITIVE_INFINITY);
    const at = await resolveWithin(clock, hostLimits.ledgerMs, dueAt).catch(() => null);
    return at === null ? null : Math.max(0, clock.now() - at);
  }

  return async function health(_request, response) {
    const lagMs = await lag();
    const ok = lagMs !== null;
    const body: Health = {
      ok,
      ledger: ok ? "reachable" : "unreachable",
      timer: { running: timer.isRunning(), lagMs },
    };
    response.writeHead(ok ? 200 : 503, {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
    });
    response.end(`${JSON.stringify(body)}\n`);
  };
}
