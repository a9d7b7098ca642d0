import { limits } from "../domain/limits.ts";
import type { OrderRef } from "../domain/order.ts";
import { pairKey } from "./pair-key.ts";

type Lease = { readonly fence: number; readonly until: number; readonly isHeld: boolean };

export type MemoryOrderLocks = ReturnType<typeof createMemoryOrderLocks>;

export function createMemoryOrderLocks() {
  const leases = new Map<string, Lease>();
  const leaseOf = (ref: OrderRef) => leases.get(pairKey(ref.storeId, ref.orderId));
  const set = (ref: OrderRef, lease: Lease) => leases.set(pairKey(ref.storeId, ref.orderId), lease);

  return {
    isNewest: (ref: OrderRef, fence: number): boolean => leaseOf(ref)?.fence === fence,
    lock(ref: OrderRef, now: number, leaseMs: number): number | null {
      const lease = leaseOf(ref);
      if (lease?.isHeld && lease.until > now) {
        // A clock that was ahead gave a lease that ends too late.
        const latest = now + Math.max(leaseMs, limits.orderLeaseMs);
        if (lease.until > latest) set(ref, { ...lease, until: latest });
        return null;
      }
      const fence = (lease?.fence ?? 0) + 1;
      set(ref, { fence, until: now + leaseMs, isHeld: true });
      return fence;
    },
    unlock(ref: OrderRef, fence: number): void {
      const lease = leaseOf(ref);
      // The fence is kept, so that the next fence is higher.
      if (lease?.fence === fence) set(ref, { ...lease, isHeld: false });
    },
    renew(ref: OrderRef, fence: number, until: number): boolean {
      const lease = leaseOf(ref);
      if (!lease?.isHeld || lease.fence !== fence) return false;
      set(ref, { ...lease, until });
      return true;
    },
  };
}
