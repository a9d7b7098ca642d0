import type { Clock, Log } from "@tillkit/core";
import type { LedgerRetention } from "@tillkit/core/ledger";
import type { ScheduledTask } from "@tillkit/runtime";
import { serverLimits } from "../limits.ts";

/** Removes personal data of final payments that are older than `days`, once a day, in small steps. */
export function createPruneTask(ledger: LedgerRetention, days: number, clock: Clock, log: Log): ScheduledTask {
  return {
    name: "prune",
    firstDelayMs: serverLimits.firstPruneDelayMs,
    intervalMs: serverLimits.dayMs,
    async run() {
      const pruned = await pruneAll(ledger, clock.now() - days * serverLimits.dayMs, () =>
        clock.sleep(serverLimits.prunePauseMs),
      );
      if (pruned.payments + pruned.deliveries > 0) log.info("retention.pruned", { ...pruned, olderThanDays: days });
    },
  };
}

/** Prunes in steps with `pause` between them. Returns how many rows were pruned. */
export async function pruneAll(
  ledger: LedgerRetention,
  before: number,
  pause: () => Promise<void>,
): Promise<{ readonly payments: number; readonly deliveries: number }> {
  const limit = serverLimits.rowsPerPrune;
  const { payments, deliveries } = await ledger.prune({ before, limit });
  if (payments < limit && deliveries < limit) return { payments, deliveries };
  await pause();
  const rest = await pruneAll(ledger, before, pause);
  return { payments: payments + rest.payments, deliveries: deliveries + rest.deliveries };
}
