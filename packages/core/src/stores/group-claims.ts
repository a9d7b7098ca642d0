import type { OrderRef } from "../domain/order.ts";
import type { Records } from "../ports/records.ts";

/** Which of our payments a group is told of. `telling`: the store may or may not know; `told`: it acknowledged. */
export type GroupClaim = { readonly paymentId: string; readonly state: "telling" | "told" };

export type GroupClaims = {
  find(ref: OrderRef): Promise<GroupClaim | null>;
  /** The claim that stands: the wanted one, or one that it cannot replace. `isFirst`: there was none before. */
  claim(ref: OrderRef, want: GroupClaim): Promise<GroupClaim & { readonly isFirst: boolean }>;
  /** The store certainly did not take it: another payment of the group may try. */
  release(ref: OrderRef, paymentId: string): Promise<void>;
};

/**
 * For stores that can only be told, and do not keep our payments apart: the one payment that an order's group is told of is
 * written down before, among the records of the ledger, which processes and machines share.
 *
 * @param kind names these records; one that never changes
 */
export function createGroupClaims(records: Records, kind: string): GroupClaims {
  async function read({ storeId, orderId }: OrderRef) {
    const row = await records.get(storeId, kind, orderId);
    return { claim: (row?.value ?? null) as GroupClaim | null, expect: row?.version ?? ("new" as const) };
  }

  return {
    find: async (ref) => (await read(ref)).claim,
    async claim(ref, want) {
      for (;;) {
        const { claim, expect } = await read(ref);
        const advances = claim?.paymentId === want.paymentId && claim.state === "telling" && want.state === "told";
        if (claim && !advances) return { ...claim, isFirst: false };
        const put = await records.put(ref.storeId, kind, ref.orderId, want, expect);
        if (put === "done") return { ...want, isFirst: claim === null };
      }
    },
    async release(ref, paymentId) {
      const { claim, expect } = await read(ref);
      if (claim?.paymentId === paymentId) await records.put(ref.storeId, kind, ref.orderId, null, expect);
    },
  };
}
