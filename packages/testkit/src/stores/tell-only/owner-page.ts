import type { OrderRef, Records } from "@tillkit/core";

export type OwnerLineKind = "hold" | "note";

/**
 * The platform shows the owner nothing of ours, so what she must see is kept for our own page in her shop. The same key is
 * one line.
 */
export async function keepForOwner(
  records: Records,
  ref: OrderRef,
  kind: OwnerLineKind,
  line: { readonly key: string; readonly text: string },
): Promise<void> {
  for (;;) {
    const row = await records.get(ref.storeId, kind, ref.orderId);
    const lines = linesOf(row);
    if (Object.hasOwn(lines, line.key)) return;
    const next = { ...lines, [line.key]: line.text };
    if ((await records.put(ref.storeId, kind, ref.orderId, next, row?.version ?? "new")) === "done") return;
  }
}

/** What the page shows of an order, oldest first. */
export async function ownerLines(records: Records, ref: OrderRef, kind: OwnerLineKind): Promise<readonly string[]> {
  return Object.values(linesOf(await records.get(ref.storeId, kind, ref.orderId)));
}

function linesOf(row: { readonly value: unknown } | null): Readonly<Record<string, string>> {
  return (row?.value ?? {}) as Record<string, string>;
}
