import type { Ledger } from "@tillkit/core";
import { pluginLimits } from "../limits.ts";

/**
 * Payments whose state needs no review although a person must look at them: a refund of theirs failed late, or their order was
 * canceled and the amount was not refunded, or Medusa refunded them because their cart could not become an order. The ledger lists payments by state only, so these are noted by id. Whether a noted
 * payment still needs attention is always decided from its refunds and its order.
 */
const KIND = "medusa-attention";

type NoteContext = { readonly ledger: Pick<Ledger, "records">; readonly options: { readonly storeId: string } };

/** @param isUnplaced the payment is refunded because its cart did not become an order, as far as Medusa said */
export async function noteForAttention(
  { ledger, options }: NoteContext,
  paymentId: string,
  { isUnplaced = false } = {},
): Promise<void> {
  // `stale`: the payment is noted already.
  await ledger.records.put(options.storeId, KIND, paymentId, isUnplaced ? { isUnplaced } : {}, "new");
}

export async function isNotedAsUnplaced({ ledger, options }: NoteContext, paymentId: string): Promise<boolean> {
  const row = await ledger.records.get(options.storeId, KIND, paymentId);
  return row !== null && Object.hasOwn(Object(row.value), "isUnplaced");
}

/** The ids of noted payments; at most `pluginLimits.notedPayments`. */
export async function listNoted({ ledger, options }: NoteContext): Promise<readonly string[]> {
  const { storeId } = options;
  const rows = await ledger.records.list({ kind: KIND, storeId, limit: pluginLimits.notedPayments });
  return rows.map(({ key }) => key);
}

export async function forgetNoted({ ledger, options }: NoteContext, paymentId: string): Promise<void> {
  const { storeId } = options;
  const row = await ledger.records.get(storeId, KIND, paymentId);
  if (row) await ledger.records.remove(storeId, KIND, paymentId, row.version);
}
