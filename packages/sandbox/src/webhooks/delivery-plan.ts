import type { Settings } from "../service/settings.ts";

type Plan = Pick<Settings["delivery"], "attempts" | "baseDelayMs" | "freshIdPerAttempt">;

/** Four attempts, 3, 6 and 12 seconds apart, each with an event id of its own. */
const directPlan: Plan = { attempts: 4, baseDelayMs: 3000, freshIdPerAttempt: true };

/** How often an event is tried: on the direct path it is fixed, on the queued one the switches say it. */
export function planOf({ delivery }: Settings): Plan {
  return delivery.path === "direct" ? directPlan : delivery;
}
