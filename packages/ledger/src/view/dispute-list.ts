import type { Dispute, LedgerView, Page } from "@tillkit/core";
import { type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { rowToDispute } from "../payments/disputes.ts";
import { countByName } from "./count-by-name.ts";
import { comesAfter, toPage } from "./pagination.ts";

type DisputeRow = Selectable<LedgerSchema["tillkit_disputes"]>;
type DisputeQuery = Parameters<LedgerView["listDisputes"]>[0];

export async function countDisputes(session: Session) {
  const { rows } = await sql<{ is_open: 0 | 1; count: number }>`
    select is_open, count(*) as count from tillkit_disputes group by is_open`.execute(session);
  return countByName(["open", "over"], rows, ({ is_open: isOpen }) => (isOpen === 1 ? "open" : "over"));
}

export async function listDisputes(session: Session, query: DisputeQuery): Promise<Page<Dispute>> {
  const { open, dueBefore, limit, after } = query;
  const isOpen = open ? sql`is_open = 1` : sql`is_open = 0`;
  const { rows } = await sql<DisputeRow>`select * from tillkit_disputes
    where ${open === undefined ? sql`true` : isOpen}
      and ${dueBefore === undefined ? sql`true` : sql`evidence_due_by < ${dueBefore}`}
      and ${comesAfter(["is_open", "opened_at", "sequence"], after)}
    order by is_open desc, opened_at desc, sequence desc limit ${limit + 1}`.execute(session);
  return toPage(rows, limit, {
    keyOf: ({ is_open, opened_at, sequence }) => [is_open, opened_at, sequence],
    itemOf: rowToDispute,
  });
}
