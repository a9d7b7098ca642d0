import type { Settings } from "../domain/settings.ts";

type RetryPolicy = Pick<Settings["delivery"], "attempts" | "baseDelayMs" | "freshIdPerAttempt">;

/** Four attempts with waits of 3, 6 and 12 seconds. Each attempt has its own event id. */
const directPolicy: RetryPolicy = { attempts: 4, baseDelayMs: 3000, freshIdPerAttempt: true };

/** The retry policy of deliveries: fixed on the direct path, from the settings on the queued path. */
export function retryPolicy({ delivery }: Settings): RetryPolicy {
  return delivery.path === "direct" ? directPolicy : delivery;
}
