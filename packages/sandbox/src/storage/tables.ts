import type { Generated } from "kysely";
import type { MoneyTables } from "./money-tables.ts";
import type { NetworkTables } from "./network-tables.ts";
import type { ApiKeyRow, OrganizationRow } from "./organization-tables.ts";
import type { CustomerRow, SessionRow, TransactionRow } from "./payment-tables.ts";
import type { DeliveryLogRow, DeliveryRow, EndpointRow, EventRow } from "./webhook-tables.ts";

/** Times are milliseconds since 1970, booleans are 0 or 1, and columns named `…_json` hold JSON text. `seq` is the order of creation. */
export type Tables = NetworkTables &
  MoneyTables & {
    meta: { name: string; value: string };
    organizations: OrganizationRow;
    api_keys: ApiKeyRow;
    sessions: SessionRow & { seq: Generated<number> };
    transactions: TransactionRow & { seq: Generated<number> };
    customers: CustomerRow & { seq: Generated<number> };
    webhook_endpoints: EndpointRow & { seq: Generated<number> };
    events: EventRow & { seq: Generated<number> };
    deliveries: DeliveryRow & { seq: Generated<number> };
    delivery_logs: DeliveryLogRow & { seq: Generated<number> };
    idempotency: IdempotencyRow;
  };

/** The stored response of a request with an Idempotency-Key. */
export type IdempotencyRow = {
  /** The merchant, the environment, and the membership under which an Operator acted. */
  scope: string;
  key: string;
  /** A hash of the request. Another request under the same key is refused. */
  fingerprint: string;
  status: number;
  body: string;
  request_id: string;
  created_at: number;
};
