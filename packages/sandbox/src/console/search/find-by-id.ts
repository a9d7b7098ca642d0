import type { SandboxControl } from "../../control/control.ts";
import { normalId } from "../../domain/identifiers.ts";
import type { Service } from "../../runtime/service.ts";
import { pageUrl } from "../components/page-url.ts";

/** For each kind of resource: its table, the console tab that shows it, and the columns that can hold the id. */
const searchedColumns = [
  ["sessions", "sessions", ["session_id", "code"]],
  ["transactions", "transactions", ["transaction_id", "public_id"]],
  ["events", "events", ["event_id"]],
  ["deliveries", "deliveries", ["delivery_id"]],
  ["webhook_endpoints", "endpoints", ["webhook_id"]],
  ["refunds", "refunds", ["refund_id"]],
  ["customers", "customers", ["customer_id", "public_id"]],
  ["disputes", "disputes", ["dispute_id"]],
  ["memberships", "network", ["membership_id"]],
  ["operators", "network", ["operator_id"]],
  ["members", "network", ["member_id", "account"]],
  ["organizations", "network", ["organization_id"]],
] as const;

/** The path of the resource with this id, or null. */
export async function findById(service: Service, control: SandboxControl, given: string): Promise<string | null> {
  const id = normalId(given);
  for (const [table, tab, columns] of searchedColumns) {
    for (const column of columns) {
      const row = await service.store.database
        .selectFrom(table)
        .select((builder) => builder.lit(1).as("found"))
        .where(service.store.database.dynamic.ref(column), "=", id)
        .executeTakeFirst();
      if (row !== undefined) return pageUrl(tab, id);
    }
  }
  return control.listRequests(id).length > 0 ? pageUrl("requests", id) : null;
}
