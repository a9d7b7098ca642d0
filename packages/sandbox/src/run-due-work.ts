import { runDueChanges } from "./payments/due-changes.ts";
import { loseDueDisputes } from "./reversals/due-disputes.ts";
import type { Service } from "./runtime/service.ts";
import { endDueSubscriptions } from "./subscriptions/end-subscription.ts";

/** What time does to payments, subscriptions and disputes. Returns the next due time in milliseconds, or Infinity. */
export async function runDueWork(service: Service): Promise<number> {
  return Math.min(await runDueChanges(service), await endDueSubscriptions(service), await loseDueDisputes(service));
}
