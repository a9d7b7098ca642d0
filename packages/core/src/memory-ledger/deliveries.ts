import type { Delivery } from "../domain/delivery.ts";
import { pairKey } from "./pair-key.ts";

export function createMemoryDeliveries() {
  const deliveries = new Map<string, Delivery>();
  return {
    /** false: it is known already. */
    addNew(delivery: Delivery): boolean {
      const key = pairKey(delivery.endpointId, delivery.digest);
      if (deliveries.has(key)) return false;
      deliveries.set(key, copyOf(delivery));
      return true;
    },
    get(endpointId: string, digest: string): Delivery | null {
      const delivery = deliveries.get(pairKey(endpointId, digest));
      return delivery === undefined ? null : copyOf(delivery);
    },
  };
}

// Bytes cannot be frozen.
function copyOf(delivery: Delivery): Delivery {
  return { ...delivery, bytes: Uint8Array.from(delivery.bytes) };
}
