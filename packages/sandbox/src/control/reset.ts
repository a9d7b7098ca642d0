import type { Service } from "../runtime/service.ts";

const clearedTables = [
  "sessions",
  "transactions",
  "customers",
  "webhook_endpoints",
  "events",
  "deliveries",
  "delivery_logs",
  "idempotency",
  "operator_fees",
  "balances",
  "refunds",
  "charges",
  "payment_requests",
  "payouts",
  "settlements",
  "confirmations",
  "subscriptions",
  "disputes",
] as const;

/** Deletes everything except merchants, keys, Operators with their members, snapshots, settings and clock. */
export async function resetState(service: Service): Promise<void> {
  await service.store.write(async (database) => {
    for (const table of clearedTables) await database.deleteFrom(table).execute();
  });
  await service.faults.clear();
  service.rateLimits.clear();
  service.requestLog.clear();
  for (const history of Object.values(service.rowHistory)) history.clear();
}
