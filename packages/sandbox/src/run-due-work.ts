import { runDueChanges } from "./payments/due-changes.ts";
import { loseDueDisputes } from "./reversals/due-disputes.ts";
import type { Service } from "./runtime/service.ts";
import { endDueSubscriptions } from "./subscriptions/end-subscription.ts";

/** Completes payments, expires sessions, and ends subscriptions and disputes that are due. Returns the next due time, or Infinity. */
export async function runDueWork(service: Service): Promise<number> {
  return Math.min(await runDueChanges(service), await endDueSubscriptions(service), await loseDueDisputes(service));
}
