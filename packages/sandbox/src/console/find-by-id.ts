import type { SandboxControl } from "../control/control.ts";
import type { Service } from "../runtime/service.ts";
import { pageUrl } from "./components/page-url.ts";

/** Where ids of each kind are kept, and the tab that shows them. */
const searchedColumns = [
  ["sessions", "sessions", ["session_id", "code"]],
  ["transactions", "transactions", ["transaction_id", "public_id"]],
  ["events", "events", ["event_id"]],
  ["deliveries", "deliveries", ["delivery_id"]],
  ["refunds", "refunds", ["refund_id"]],
  ["customers", "customers", ["customer_id", "public_id"]],
  ["disputes", "disputes", ["dispute_id"]],
] as const;

/** The address of whatever has this id; null when nothing has it. */
export async function findById(service: Service, control: SandboxControl, given: string): Promise<string | null> {
  const id = given.trim();
  for (const [table, tab, columns] of searchedColumns) {
    for (const column of columns) {
      const row = await service.store.rows
        .selectFrom(table)
        .select("seq")
        .where(service.store.rows.dynamic.ref(column), "=", id)
        .executeTakeFirst();
      if (row !== undefined) return pageUrl(tab, id);
    }
  }
  return control.listRequests(id).length > 0 ? pageUrl("requests", id) : null;
}
