import type { OrderRef } from "../domain/order.ts";
import type { Records } from "../ports/records.ts";

/**
 * The only payment written to a payment group. `pending`: the store may have recorded it. `acknowledged`: the store confirmed it. `holder`
 * names the call that claimed a pending payment last: the version of the record that it replaced.
 */
export type GroupClaim = {
  readonly paymentId: string;
  readonly state: "pending" | "acknowledged";
  readonly holder?: number | "new";
  /** Where the platform sends the shopper after an acknowledged payment, for a platform that says it only in that answer. */
  readonly continueUrl?: string;
};

export type GroupClaims = {
  find(ref: OrderRef): Promise<GroupClaim | null>;
  /**
   * Returns the valid claim: the requested claim, or an earlier claim that it cannot replace. `isFirst`: nothing of this group may be in flight
   * that still counts.
   *
   * @param returned payments whose money has gone back: a pending claim of one of them is replaced
   */
  claim(ref: OrderRef, request: GroupClaim, returned?: readonly string[]): Promise<HeldClaim>;
  /**
   * Removes the claim of a payment that the store has certainly not recorded, so another payment of the group can claim. A claim that another
   * call has claimed again or acknowledged since stays: a process that slept knows nothing of that call's request.
   */
  release(ref: OrderRef, held: GroupClaim): Promise<void>;
};

export type HeldClaim = GroupClaim & { readonly isFirst: boolean };

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
    async claim(ref, request, returned = []) {
      for (;;) {
        const { claim, expect } = await read(ref);
        const isReturned = claim?.state === "pending" && returned.includes(claim.paymentId);
        const isOwn = claim?.state === "pending" && claim.paymentId === request.paymentId;
        if (claim && !isOwn && !isReturned) return { ...claim, isFirst: false };
        const next = request.state === "pending" ? { ...request, holder: expect } : request;
        const put = await records.put(ref.storeId, kind, ref.orderId, next, expect);
        if (put === "done") return { ...next, isFirst: !isOwn };
        // Another process changed the claim in between: read the claim again.
      }
    },
    async release(ref, { paymentId, holder }) {
      const { claim, expect } = await read(ref);
      const isHeld = claim?.paymentId === paymentId && claim.state === "pending" && claim.holder === holder;
      if (isHeld) await records.put(ref.storeId, kind, ref.orderId, null, expect);
    },
  };
}
