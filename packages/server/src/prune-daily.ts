import type { Clock, LedgerRetention, Log } from "@tillkit/core";
import type { ScheduledTask } from "@tillkit/runtime";
import { hostLimits } from "./limits.ts";

/** Takes personal data out of what is older than `days` and final, once a day, a little at a time. */
export function pruneDaily(ledger: LedgerRetention, days: number, clock: Clock, log: Log): ScheduledTask {
  return {
    name: "prune",
    firstDelayMs: hostLimits.pruneFirstMs,
    intervalMs: hostLimits.dayMs,
    async run() {
      const pruned = await pruneAll(ledger, clock.now() - days * hostLimits.dayMs, () =>
        clock.sleep(hostLimits.pruneGiveWayMs),
      );
      if (pruned.payments + pruned.deliveries > 0) log.info("retention.pruned", { ...pruned, olderThanDays: days });
    },
  };
}

/** In steps, with `giveWay` between them. Counts what was emptied. */
export async function pruneAll(
  ledger: LedgerRetention,
  before: number,
  giveWay: () => Promise<void>,
): Promise<{ readonly payments: number; readonly deliveries: number }> {
  const limit = hostLimits.pruneRows;
  const { payments, deliveries } = await ledger.prune({ before, limit });
  if (payments < limit && deliveries < limit) return { payments, deliveries };
  await giveWay();
  const rest = await pruneAll(ledger, before, giveWay);
  return { payments: payments + rest.payments, deliveries: deliveries + rest.deliveries };
}
