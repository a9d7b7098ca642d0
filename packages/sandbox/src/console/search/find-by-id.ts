import type { SandboxControl } from "../../control/control.ts";
import { normaliseId } from "../../domain/identifiers.ts";
import type { Service } from "../../runtime/service.ts";
import { pageUrl } from "../components/page-url.ts";

/** The tables of resources: the tab whose pages show them, and the columns that can hold the id. */
const searchedTables = [
  { table: "sessions", tab: "sessions", columns: ["session_id", "code"] },
  { table: "transactions", tab: "transactions", columns: ["transaction_id", "public_id"] },
  { table: "events", tab: "events", columns: ["event_id"] },
  { table: "deliveries", tab: "deliveries", columns: ["delivery_id"] },
  { table: "webhook_endpoints", tab: "endpoints", columns: ["webhook_id"] },
  { table: "refunds", tab: "refunds", columns: ["refund_id"] },
  { table: "customers", tab: "customers", columns: ["customer_id", "public_id"] },
  { table: "disputes", tab: "disputes", columns: ["dispute_id"] },
  { table: "memberships", tab: "network", columns: ["membership_id"] },
  { table: "operators", tab: "network", columns: ["operator_id"] },
  { table: "members", tab: "network", columns: ["member_id", "account"] },
  { table: "organizations", tab: "network", columns: ["organization_id"] },
] as const;

/** The path of the page of the resource with this id. Null when no resource has the id. */
export async function findById(service: Service, control: SandboxControl, text: string): Promise<string | null> {
  const id = normaliseId(text);
  for (const { table, tab, columns } of searchedTables) {
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
