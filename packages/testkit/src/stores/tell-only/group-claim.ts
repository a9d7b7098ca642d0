import type { OrderRef, Records } from "@tillkit/core";

/** Which payment a group belongs to. `telling`: the shop may or may not know; `told`: it acknowledged. */
export type GroupClaim = { readonly paymentId: string; readonly state: "telling" | "told" };

const KIND = "group";

export async function readClaim(records: Records, ref: OrderRef): Promise<GroupClaim | null> {
  return (await readRow(records, ref)).claim;
}

/** Answers the claim that stands: the wanted one, or one that it cannot replace. `isFirst`: there was none before. */
export async function claimGroup(
  records: Records,
  ref: OrderRef,
  want: GroupClaim,
): Promise<GroupClaim & { readonly isFirst: boolean }> {
  for (;;) {
    const { claim, expect } = await readRow(records, ref);
    const advances = claim?.paymentId === want.paymentId && claim.state === "telling" && want.state === "told";
    if (claim && !advances) return { ...claim, isFirst: false };
    const put = await records.put(ref.storeId, KIND, ref.orderId, want, expect);
    if (put === "done") return { ...want, isFirst: claim === null };
  }
}

/** The shop certainly did not take it: another payment of the group may try. */
export async function freeGroup(records: Records, ref: OrderRef, paymentId: string): Promise<void> {
  const { claim, expect } = await readRow(records, ref);
  if (claim?.paymentId === paymentId) await records.put(ref.storeId, KIND, ref.orderId, null, expect);
}

async function readRow(
  records: Records,
  ref: OrderRef,
): Promise<{ readonly claim: GroupClaim | null; readonly expect: number | "new" }> {
  const row = await records.get(ref.storeId, KIND, ref.orderId);
  return { claim: (row?.value ?? null) as GroupClaim | null, expect: row?.version ?? "new" };
}
