import type { OrderRef } from "../domain/order.ts";
import type { Records } from "../ports/records.ts";

/** The payment that is written to an order's group. `pending`: the store may have recorded it; `acknowledged`: the store acknowledged it. */
export type GroupClaim = { readonly paymentId: string; readonly state: "pending" | "acknowledged" };

export type GroupClaims = {
  find(ref: OrderRef): Promise<GroupClaim | null>;
  /** Returns the valid claim: the requested one, or an earlier one that it cannot replace. `isFirst`: there was no claim before. */
  claim(ref: OrderRef, request: GroupClaim): Promise<GroupClaim & { readonly isFirst: boolean }>;
  /** Removes the claim of a payment that the store has certainly not recorded, so another payment of the group can claim. */
  release(ref: OrderRef, paymentId: string): Promise<void>;
};

/**
 * Group claims for stores that accept writes only and cannot tell our payments apart. The one payment that is written to an
 * order's group is recorded first, in the ledger's records, which all processes share.
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
        const advances =
          claim?.paymentId === request.paymentId && claim.state === "pending" && request.state === "acknowledged";
        if (claim && !advances) return { ...claim, isFirst: false };
        const put = await records.put(ref.storeId, kind, ref.orderId, request, expect);
        if (put === "done") return { ...request, isFirst: claim === null };
      }
    },
    async release(ref, paymentId) {
      const { claim, expect } = await read(ref);
      if (claim?.paymentId === paymentId) await records.put(ref.storeId, kind, ref.orderId, null, expect);
    },
  };
}
