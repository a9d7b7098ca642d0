import type { Dispute, Environment } from "@tillkit/core";
import type { LedgerView, Page } from "@tillkit/core/ledger";
import { type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { rowToDispute } from "../payments/disputes.ts";
import { countByName } from "./count-by-name.ts";
import { comesAfter, toPage } from "./pagination.ts";

type DisputeRow = Selectable<LedgerSchema["tillkit_disputes"]>;
type DisputeQuery = Parameters<LedgerView["listDisputes"]>[0];

export async function countDisputes(session: Session, { environment }: { environment?: Environment } = {}) {
  const { rows } = await sql<{ is_open: 0 | 1; count: number }>`
    select is_open, count(*) as count from tillkit_disputes dispute where ${isOfEnvironment(environment)}
    group by is_open`.execute(session);
  return countByName(["open", "over"], rows, ({ is_open: isOpen }) => (isOpen === 1 ? "open" : "over"));
}

export async function listDisputes(session: Session, query: DisputeQuery): Promise<Page<Dispute>> {
  const { open, dueBefore, environment, limit, after } = query;
  const isOpen = open ? sql`is_open = 1` : sql`is_open = 0`;
  const { rows } = await sql<DisputeRow>`select dispute.* from tillkit_disputes dispute
    where ${open === undefined ? sql`true` : isOpen}
      and ${dueBefore === undefined ? sql`true` : sql`evidence_due_by < ${dueBefore}`}
      and ${isOfEnvironment(environment)}
      and ${comesAfter(["is_open", "opened_at", "sequence"], after)}
    order by is_open desc, opened_at desc, sequence desc limit ${limit + 1}`.execute(session);
  return toPage(rows, limit, {
    keyOf: ({ is_open, opened_at, sequence }) => [is_open, opened_at, sequence],
    itemOf: rowToDispute,
  });
}

function isOfEnvironment(environment: Environment | undefined) {
  if (environment === undefined) return sql`true`;
  return sql`exists (select 1 from tillkit_payments payment
    where payment.id = dispute.payment_id and payment.environment = ${environment})`;
}
