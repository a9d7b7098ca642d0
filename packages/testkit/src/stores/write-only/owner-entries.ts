import type { OrderRef } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";

export type OwnerEntryKind = "hold" | "note";

/**
 * Stores an entry in our records, once for each key. The platform cannot show holds and notes, so a page of ours shows the entries
 * to the owner.
 */
export async function addOwnerEntry(
  records: Records,
  ref: OrderRef,
  kind: OwnerEntryKind,
  entry: { readonly key: string; readonly text: string },
): Promise<void> {
  // Until no other process has changed the record between its read and its write.
  for (;;) {
    const row = await records.get(ref.storeId, kind, ref.orderId);
    const entries = entriesOf(row);
    if (Object.hasOwn(entries, entry.key)) return;
    const next = { ...entries, [entry.key]: entry.text };
    if ((await records.put(ref.storeId, kind, ref.orderId, next, row?.version ?? "new")) === "done") return;
  }
}

/** The entries of an order, oldest first. */
export async function ownerEntries(records: Records, ref: OrderRef, kind: OwnerEntryKind): Promise<readonly string[]> {
  return Object.values(entriesOf(await records.get(ref.storeId, kind, ref.orderId)));
}

function entriesOf(row: { readonly value: unknown } | null): Readonly<Record<string, string>> {
  return (row?.value ?? {}) as Record<string, string>;
}
