import type { Refund } from "@tillkit/core";
import type { LedgerView, Page } from "@tillkit/core/ledger";
import { type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { rowToRefund } from "../payments/refunds.ts";
import { comesAfter, toPage } from "./pagination.ts";

type RefundRow = Selectable<LedgerSchema["tillkit_refunds"]>;
type RefundQuery = Parameters<LedgerView["listRefunds"]>[0];

export async function listRefunds(session: Session, query: RefundQuery): Promise<Page<Refund>> {
  const { storeId, environment, from, until, limit, after } = query;
  const isOfPayment = sql`exists (select 1 from tillkit_payments payment where payment.id = refund.payment_id
    and ${storeId === undefined ? sql`true` : sql`payment.store_id = ${storeId}`}
    and ${environment === undefined ? sql`true` : sql`payment.environment = ${environment}`})`;
  const { rows } = await sql<RefundRow>`select refund.* from tillkit_refunds refund
    where ${from === undefined ? sql`true` : sql`requested_at >= ${from}`}
      and ${until === undefined ? sql`true` : sql`requested_at < ${until}`}
      and ${storeId === undefined && environment === undefined ? sql`true` : isOfPayment}
      and ${comesAfter(["requested_at", "sequence"], after)}
    order by requested_at desc, sequence desc limit ${limit + 1}`.execute(session);
  return toPage(rows, limit, {
    keyOf: ({ requested_at, sequence }) => [requested_at, sequence],
    itemOf: rowToRefund,
  });
}
