import type { OrderRef, Records } from "@tillkit/core";

/** Which of our payments a group is resolved with. `telling`: Shopify may or may not know; `told`: it acknowledged. */
export type GroupClaim = { readonly paymentId: string; readonly state: "telling" | "told" };

export type GroupClaims = {
  find(ref: OrderRef): Promise<GroupClaim | null>;
  /** The claim that stands: the wanted one, or one that it cannot replace. */
  claim(ref: OrderRef, want: GroupClaim): Promise<GroupClaim>;
  /** Shopify certainly refused this one: another payment of the group may try. */
  free(ref: OrderRef, paymentId: string): Promise<void>;
};

const KIND = "shopify-group";

/**
 * A group is resolved at most once. Shopify does not keep our payments apart, so the one that may is written down before it
 * is told, in the database: processes and machines share it.
 */
export function createGroupClaims(records: Records): GroupClaims {
  async function read({ storeId, orderId }: OrderRef) {
    const row = await records.get(storeId, KIND, orderId);
    return { claim: (row?.value ?? null) as GroupClaim | null, expect: row?.version ?? ("new" as const) };
  }

  return {
    find: async (ref) => (await read(ref)).claim,
    async claim(ref, want) {
      for (;;) {
        const { claim, expect } = await read(ref);
        const advances = claim?.paymentId === want.paymentId && claim.state === "telling" && want.state === "told";
        if (claim && !advances) return claim;
        if ((await records.put(ref.storeId, KIND, ref.orderId, want, expect)) === "done") return want;
      }
    },
    async free(ref, paymentId) {
      const { claim, expect } = await read(ref);
      if (claim?.paymentId === paymentId) await records.put(ref.storeId, KIND, ref.orderId, null, expect);
    },
  };
}
