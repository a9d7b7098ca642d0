import type { RefundQuery, RefundRow, ServiceClient } from "@tillkit/client";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { RefundReading } from "../domain/refund.ts";
import type { RefundList, RefundsQuery } from "../ports/service.ts";
import { mayBeMarked } from "../signing/refund-mark.ts";

/** The largest page that the service returns. */
export const PAGE_SIZE = 100;

/** Names the account that is stored with the payment, also null: a default of the client must not take its place. */
export function callOptions({ account }: Pick<Payment, "account">, deadlineMs: number) {
  return { deadlineMs, serviceAccount: account };
}

export function toRefundReading(row: RefundRow): RefundReading {
  const { id = "", status, amount, refundedAmount, createdAt, reason, transactionId } = row;
  const known = (["completed", "failed"] as const).find((final) => final === status);
  // A pending refund has refunded nothing yet, so a refunded amount of 0 is not its amount.
  const wireAmount = amount ?? (refundedAmount || undefined);
  return { id, status: known ?? "pending", wireAmount, createdAt, reason, transactionId };
}

/**
 * Searches the service's list, which holds the refunds of all payments of the key, for the refunds of one transaction.
 *
 * A row without a refund id may be whatever its other fields allow, so only a row that shows nothing makes the list incomplete.
 *
 * A list of several pages is read twice, because a refund that is made during the first pass appears on a page that was already read.
 * Rows that leave a page while it is read make the next page skip as many rows, so the rows are counted as well.
 */
export async function readRefundList(
  client: ServiceClient,
  payment: Payment,
  query: RefundsQuery,
): Promise<RefundList> {
  const byOwner: Record<Owner, Map<string, RefundReading>> = { ours: new Map(), unknown: new Map(), other: new Map() };
  const seen = new Set<string>();
  let isComplete = true;
  for (let pass = 0; pass < 2; pass += 1) {
    const { rows, isWhole, totalCount } = await readRows(client, payment, query);
    for (const [key, row] of withKeys(rows)) {
      seen.add(key);
      byOwner[ownerOf(row, query)].set(key, toRefundReading(row));
    }
    if (!isWhole) isComplete = false;
    if (rows.length < PAGE_SIZE) break;
    // Only pages can skip rows. The count of a short list is not compared, because a service may count rows that the filter leaves out.
    if (seen.size < totalCount) isComplete = false;
  }
  return {
    refunds: [...byOwner.ours.values()],
    unassigned: [...byOwner.unknown.values()],
    elsewhere: [...byOwner.other.values()].filter(({ reason }) => mayBeMarked(reason)),
    isComplete,
  };
}

/**
 * Each row of one pass with a key that names it in every pass: its refund id, or what it shows. Rows without an id that show the same
 * are several refunds, so they are numbered.
 */
function withKeys(rows: readonly RefundRow[]): Map<string, RefundRow> {
  const byKey = new Map<string, RefundRow>();
  for (const row of rows) {
    if (row.id !== undefined) {
      byKey.set(row.id, row);
      continue;
    }
    const shown = JSON.stringify(row);
    let number = 1;
    while (byKey.has(`${number} ${shown}`)) number += 1;
    byKey.set(`${number} ${shown}`, row);
  }
  return byKey;
}

type Rows = { readonly rows: readonly RefundRow[]; readonly isWhole: boolean; readonly totalCount: number };

// `isWhole` is false where rows could not be parsed, where pages are left, and where the service does not say how to read the rest.
async function readRows(
  client: ServiceClient,
  payment: Payment,
  { since, deadlineMs }: Pick<RefundsQuery, "since" | "deadlineMs">,
): Promise<Rows> {
  const rows: RefundRow[] = [];
  const startDate = new Date(since).toISOString();
  let query: RefundQuery & { readonly offset?: number } = { startDate, limit: PAGE_SIZE };
  let isWhole = true;
  for (;;) {
    const { data: page } = await client.refunds.list(query, callOptions(payment, deadlineMs));
    rows.push(...page.items);
    if (page.received !== page.items.length || page.isCut) isWhole = false;
    const totalCount = page.totalCount ?? 0;
    const { nextCursor, nextOffset } = page;
    if (nextCursor === null && nextOffset === null) return { rows, isWhole, totalCount };
    // A page without rows that names a next page would never end.
    if (rows.length >= limits.maxRefundsScanned || page.received === 0) return { rows, isWhole: false, totalCount };
    query = {
      startDate,
      limit: PAGE_SIZE,
      ...(nextCursor === null ? { offset: nextOffset ?? 0 } : { cursor: nextCursor }),
    };
  }
}

const CODE = /^txn_/i;

type Owner = "ours" | "other" | "unknown";

// The service names a transaction by its UUID or by its code. A row that names the other one of the two may be ours.
function ownerOf({ transactionId: named }: RefundRow, { transactionId, transactionCode }: RefundsQuery): Owner {
  if (named === undefined) return "unknown";
  const ids = [transactionId, ...(transactionCode === undefined ? [] : [transactionCode])];
  if (ids.some((id) => id.toLowerCase() === named.toLowerCase())) return "ours";
  return ids.some((id) => CODE.test(id) === CODE.test(named)) ? "other" : "unknown";
}
