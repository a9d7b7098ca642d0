import type { Money, Payment, Refund } from "@tillkit/core";
import { z } from "zod";
import { rows } from "../shop/collection.ts";
import { queryOf } from "../shop/medusa-container.ts";
import type { Till } from "../till/open-till.ts";

/**
 * Medusa makes a row for each refund and deletes it when the provider throws. But a refund whose answer was lost may go back
 * all the same, a moment or an hour later: money without a row. When the same amount is asked for again, under the key of a
 * new row, it is that money, and the new row shows it from then on. Which row does is kept here, for the click after that is
 * a new wish.
 */
const KIND = "medusa-refund-row";
const PREFIX = "medusa:";

const keptSchema = z.object({ row: z.string(), at: z.number() });

/** The refund's key in the ledger. `row`: Medusa's id of it, `ref_…`. */
export function keyOf(row: string): string {
  return `${PREFIX}${row}`;
}

/** Refunds of this amount that Medusa asked for and that went back, or are about to. */
export async function sameRefunds(till: Till, { id }: Payment, { minor }: Money): Promise<readonly Refund[]> {
  const refunds = await till.ledger.refunds(id);
  return refunds.filter(
    ({ amount, origin, state }) =>
      origin === "store" && amount.minor === minor && (state === "completed" || state === "pending"),
  );
}

/** The first of these refunds that no row of Medusa shows. */
export async function withoutRow(till: Till, refunds: readonly Refund[]): Promise<Refund | null> {
  for (const refund of refunds) if (!(await isShown(till, refund, await keptRow(till, refund)))) return refund;
  return null;
}

/** From now on this row of Medusa shows the refund. false: another one does already. */
export async function showIn(till: Till, refund: Refund, row: string): Promise<boolean> {
  const { ledger, options, engine } = till;
  const kept = await keptRow(till, refund);
  if (await isShown(till, refund, kept)) return false;
  const value = { row, at: engine.clock.now() };
  return (await ledger.records.put(options.storeId, KIND, refund.key, value, kept?.version ?? "new")) === "done";
}

/** When a new row took over this refund, in milliseconds since 1970; null when none did. */
export async function takenOverAt(till: Till, refund: Refund): Promise<number | null> {
  return (await keptRow(till, refund))?.at ?? null;
}

type KeptRow = z.output<typeof keptSchema> & { readonly version: number };

async function keptRow({ ledger, options }: Till, { key }: Refund): Promise<KeptRow | null> {
  const record = await ledger.records.get(options.storeId, KIND, key);
  return record && { ...keptSchema.parse(record.value), version: record.version };
}

async function isShown(till: Till, { key }: Refund, kept: KeptRow | null): Promise<boolean> {
  if (await isInMedusa(till, key.slice(PREFIX.length))) return true;
  return kept !== null && (await isInMedusa(till, kept.row));
}

async function isInMedusa({ container }: Till, row: string): Promise<boolean> {
  return (await rows(queryOf(container), "refund", ["id"], { id: row })).length > 0;
}
