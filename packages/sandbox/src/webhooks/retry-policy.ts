import type { Settings } from "../domain/settings.ts";

type RetryPolicy = Pick<Settings["delivery"], "attempts" | "baseDelayMs" | "freshIdPerAttempt">;

/** Four attempts, 3, 6 and 12 seconds apart, each with an event id of its own. */
const directPolicy: RetryPolicy = { attempts: 4, baseDelayMs: 3000, freshIdPerAttempt: true };

/** How often an event is tried: on the direct path it is fixed, on the queued one the switches say it. */
export function retryPolicy({ delivery }: Settings): RetryPolicy {
  return delivery.path === "direct" ? directPolicy : delivery;
}
