import type { Money, Payment, Refund } from "@tillkit/core";
import { z } from "zod";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { queryOf } from "../store/medusa-container.ts";
import { readRows } from "../store/read-rows.ts";

/**
 * Medusa creates a row for each refund and deletes it when the provider throws. A refund whose answer was lost may still be
 * made later: then the service has a refund that no row of Medusa shows. When the same amount is requested again, the new
 * row shows that refund, and no other refund is sent. These records store which row shows which refund, so that a further
 * request counts as a new one.
 */
const KIND = "medusa-refund-row";
const PREFIX = "medusa:";

const showingRowSchema = z.object({ row: z.string(), at: z.number() });

/** The refund's key in the ledger. `row` is Medusa's id of the refund, `ref_…`. */
export function refundKeyOf(row: string): string {
  return `${PREFIX}${row}`;
}

/** Completed and pending refunds of this amount that Medusa requested. */
export async function refundsOfAmount(
  runtime: CheckoutRuntime,
  { id }: Payment,
  { minor }: Money,
): Promise<readonly Refund[]> {
  const refunds = await runtime.ledger.refunds(id);
  return refunds.filter(
    ({ amount, origin, state }) =>
      origin === "store" && amount.minor === minor && (state === "completed" || state === "pending"),
  );
}

/** The first of these refunds that no row of Medusa shows. */
export async function findUnshownRefund(runtime: CheckoutRuntime, refunds: readonly Refund[]): Promise<Refund | null> {
  for (const refund of refunds) {
    if (!(await isShown(runtime, refund, await readShowingRow(runtime, refund)))) return refund;
  }
  return null;
}

/** Stores that this row of Medusa shows the refund. Returns false when another row already does. */
export async function showInRow(runtime: CheckoutRuntime, refund: Refund, row: string): Promise<boolean> {
  const { ledger, options, engine } = runtime;
  const showing = await readShowingRow(runtime, refund);
  if (await isShown(runtime, refund, showing)) return false;
  const value = { row, at: engine.clock.now() };
  return (await ledger.records.put(options.storeId, KIND, refund.key, value, showing?.version ?? "new")) === "done";
}

/** When a later row started to show this refund, in milliseconds since 1970; null when none did. */
export async function shownInRowSince(runtime: CheckoutRuntime, refund: Refund): Promise<number | null> {
  return (await readShowingRow(runtime, refund))?.at ?? null;
}

type ShowingRow = z.output<typeof showingRowSchema> & { readonly version: number };

async function readShowingRow({ ledger, options }: CheckoutRuntime, { key }: Refund): Promise<ShowingRow | null> {
  const record = await ledger.records.get(options.storeId, KIND, key);
  return record && { ...showingRowSchema.parse(record.value), version: record.version };
}

async function isShown(runtime: CheckoutRuntime, { key }: Refund, showing: ShowingRow | null): Promise<boolean> {
  if (await isInMedusa(runtime, key.slice(PREFIX.length))) return true;
  return showing !== null && (await isInMedusa(runtime, showing.row));
}

async function isInMedusa({ container }: CheckoutRuntime, row: string): Promise<boolean> {
  return (await readRows(queryOf(container), "refund", ["id"], { id: row })).length > 0;
}
