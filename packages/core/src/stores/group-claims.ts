import type { OrderRef } from "../domain/order.ts";
import type { Records } from "../ports/records.ts";

/** The only payment written to a payment group. `pending`: the store may have recorded it. `acknowledged`: the store confirmed it. */
export type GroupClaim = { readonly paymentId: string; readonly state: "pending" | "acknowledged" };

export type GroupClaims = {
  find(ref: OrderRef): Promise<GroupClaim | null>;
  /** Returns the valid claim: the requested claim, or an earlier claim that it cannot replace. `isFirst`: there was no claim before. */
  claim(ref: OrderRef, request: GroupClaim): Promise<GroupClaim & { readonly isFirst: boolean }>;
  /** Removes the claim of a payment that the store has certainly not recorded, so another payment of the group can claim. */
  release(ref: OrderRef, paymentId: string): Promise<void>;
};

/**
 * Claims for stores that accept writes only and cannot tell apart the payments of one payment group (Shopify's term for the
 * attempts to pay one order). Before a payment is written to its group, the payment is recorded here as the only one of the
 * group. All processes share these records of the ledger.
 *
 * @param kind the kind of these records; it must never change
 */
export function createGroupClaims(records: Records, kind: string): GroupClaims {
  async function read({ storeId, orderId }: OrderRef) {
    const row = await records.get(storeId, kind, orderId);
    return { claim: (row?.value ?? null) as GroupClaim | null, expect: row?.version ?? ("new" as const) };
  }

  return {
    find: async (ref) => (await read(ref)).claim,
    async claim(ref, request) {
      for (;;) {
        const { claim, expect } = await read(ref);
        const isAcknowledgement =
          claim?.paymentId === request.paymentId && claim.state === "pending" && request.state === "acknowledged";
        if (claim && !isAcknowledgement) return { ...claim, isFirst: false };
        const put = await records.put(ref.storeId, kind, ref.orderId, request, expect);
        if (put === "done") return { ...request, isFirst: claim === null };
        // Another process changed the claim in between: read the claim again.
      }
    },
    async release(ref, paymentId) {
      const { claim, expect } = await read(ref);
      if (claim?.paymentId === paymentId) await records.put(ref.storeId, kind, ref.orderId, null, expect);
    },
  };
}
