import type { Delivery, ProcessedDelivery } from "../domain/delivery.ts";
import { pairKey } from "./pair-key.ts";

export type MemoryDelivery = Delivery & Partial<Pick<ProcessedDelivery, "outcome" | "paymentId">>;

export type MemoryDeliveries = ReturnType<typeof createMemoryDeliveries>;

export function createMemoryDeliveries() {
  const deliveries = new Map<string, MemoryDelivery>();
  const keyOf = ({ endpointId, digest }: { endpointId: string; digest: string }) => pairKey(endpointId, digest);

  function change(key: string, news: Partial<MemoryDelivery>): void {
    const known = deliveries.get(key);
    if (known !== undefined) deliveries.set(key, { ...known, ...news });
  }

  return {
    /** false: it is known already. */
    addNew(delivery: Delivery): boolean {
      const key = keyOf(delivery);
      if (deliveries.has(key)) return false;
      deliveries.set(key, copyOf(delivery));
      return true;
    },
    get(endpointId: string, digest: string): Delivery | null {
      const delivery = deliveries.get(pairKey(endpointId, digest));
      if (delivery === undefined) return null;
      return copyOf({ endpointId, digest, bytes: delivery.bytes, receivedAt: delivery.receivedAt });
    },
    hear(heard: ProcessedDelivery): void {
      change(keyOf(heard), { outcome: heard.outcome, paymentId: heard.paymentId });
    },
    empty(delivery: MemoryDelivery): void {
      change(keyOf(delivery), { bytes: new Uint8Array() });
    },
    all: (): readonly MemoryDelivery[] => [...deliveries.values()],
  };
}

// Bytes cannot be frozen.
function copyOf(delivery: Delivery): Delivery {
  return { ...delivery, bytes: Uint8Array.from(delivery.bytes) };
}
