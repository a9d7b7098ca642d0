import type { Service } from "../service/service.ts";

const forgotten = [
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

/** Forgets everything but merchants, keys, settings and clock. */
export async function resetState(service: Service): Promise<void> {
  await service.store.write(async (rows) => {
    for (const table of forgotten) await rows.deleteFrom(table).execute();
  });
  await service.faults.clear();
  service.rates.clear();
  service.requests.clear();
  for (const rows of Object.values(service.earlier)) rows.clear();
}
