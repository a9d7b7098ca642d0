import type { Clock, Ledger, Money, Payment, Refund } from "@tillkit/core";
import { z } from "zod";
import { type MedusaContainer, queryOf } from "../store/medusa-container.ts";
import { readRows } from "../store/read-rows.ts";

/**
 * Medusa creates a row for each refund and deletes it when the provider throws. A refund whose answer was lost may still be
 * made later: then the service has a refund that no row of Medusa shows. When the same amount is requested again, the new
 * row shows that refund, and no other refund is sent. These records store which row shows which refund, so that a further
 * request counts as a new one.
 */
const KIND = "medusa-refund-row";
/** The key of a refund in our ledger: `medusa:ref_1`, and `medusa:ref_1:again:2` when it was sent again after it failed. */
const KEY_PREFIX = "medusa:";
const AGAIN = ":again:";

/** What these functions need of the checkout context. */
export type RefundContext = {
  readonly container: MedusaContainer;
  readonly ledger: Pick<Ledger, "refunds" | "records">;
  readonly options: { readonly storeId: string };
  readonly engine: { readonly clock: Pick<Clock, "now"> };
};

const showingRowSchema = z.object({ row: z.string(), at: z.number() });

/** The refund's key in the ledger. `row` is Medusa's id of the refund, `ref_…`. */
export function refundKeyOf(row: string): string {
  return `${KEY_PREFIX}${row}`;
}

/** The key under which the failed refund of this row is sent for the `count`-th time. */
export function repeatedRefundKeyOf(row: string, count: number): string {
  return `${KEY_PREFIX}${row}${AGAIN}${count}`;
}

/** How often the refund of this row was sent again. */
export function countRepeats(refunds: readonly Refund[], row: string): number {
  return refunds.filter(({ key }) => key.startsWith(`${KEY_PREFIX}${row}${AGAIN}`)).length;
}

/** The row for which Medusa requested the refund with this key; empty when Medusa did not request it. */
function rowInKey(key: string): string {
  if (!key.startsWith(KEY_PREFIX)) return "";
  const [row = ""] = key.slice(KEY_PREFIX.length).split(AGAIN);
  return row;
}

/** The row of Medusa that shows this refund; null when none does. */
export async function rowShowing(context: RefundContext, refund: Refund): Promise<string | null> {
  const laterRow = (await readShowingRow(context, refund))?.row ?? "";
  const requestingRow = rowInKey(refund.key);
  for (const row of [laterRow, requestingRow]) {
    if (row !== "" && (await isInMedusa(context, row))) return row;
  }
  return null;
}

/** Completed and pending refunds of this amount that Medusa requested. */
export async function refundsOfAmount(
  context: RefundContext,
  { id }: Payment,
  { minor }: Money,
): Promise<readonly Refund[]> {
  const refunds = await context.ledger.refunds(id);
  return refunds.filter(
    ({ amount, origin, state }) =>
      origin === "store" && amount.minor === minor && (state === "completed" || state === "pending"),
  );
}

/** The first of these refunds that no row of Medusa shows. */
export async function findUnshownRefund(context: RefundContext, refunds: readonly Refund[]): Promise<Refund | null> {
  for (const refund of refunds) {
    if ((await rowShowing(context, refund)) === null) return refund;
  }
  return null;
}

/** Stores that this row of Medusa shows the refund. Returns false when another row already does. */
export async function showInRow(context: RefundContext, refund: Refund, row: string): Promise<boolean> {
  const { ledger, options, engine } = context;
  const showing = await readShowingRow(context, refund);
  if ((await rowShowing(context, refund)) !== null) return false;
  const value = { row, at: engine.clock.now() };
  return (await ledger.records.put(options.storeId, KIND, refund.key, value, showing?.version ?? "new")) === "done";
}

/** When a later row started to show this refund, in milliseconds since 1970; null when none did. */
export async function shownInRowSince(context: RefundContext, refund: Refund): Promise<number | null> {
  return (await readShowingRow(context, refund))?.at ?? null;
}

type ShowingRow = z.output<typeof showingRowSchema> & { readonly version: number };

async function readShowingRow({ ledger, options }: RefundContext, { key }: Refund): Promise<ShowingRow | null> {
  const record = await ledger.records.get(options.storeId, KIND, key);
  return record && { ...showingRowSchema.parse(record.value), version: record.version };
}

async function isInMedusa({ container }: RefundContext, row: string): Promise<boolean> {
  return (await readRows(queryOf(container), "refund", ["id"], { id: row })).length > 0;
}
