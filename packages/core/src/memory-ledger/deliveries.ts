import type { Delivery, ProcessedDelivery } from "../domain/delivery.ts";
import { pairKey } from "./pair-key.ts";

export type MemoryDelivery = Delivery &
  Partial<Pick<ProcessedDelivery, "outcome" | "paymentId" | "processedAt" | "event" | "attempts">> & {
    readonly transactionId?: string | undefined;
  };

export type MemoryDeliveries = ReturnType<typeof createMemoryDeliveries>;

export function createMemoryDeliveries() {
  const deliveries = new Map<string, MemoryDelivery>();
  const keyOf = ({ endpointId, digest }: { endpointId: string; digest: string }) => pairKey(endpointId, digest);

  function update(key: string, changes: Partial<MemoryDelivery>): void {
    const known = deliveries.get(key);
    if (known !== undefined) deliveries.set(key, { ...known, ...changes });
  }

  return {
    /** Returns false when the delivery is stored already. */
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
    unmatched: (transactionIds: readonly string[]) =>
      [...deliveries.values()]
        .filter(({ transactionId }) => transactionId !== undefined && transactionIds.includes(transactionId))
        .map(({ endpointId, digest }) => ({ endpointId, digest })),
    markProcessed(delivery: ProcessedDelivery): void {
      const { outcome, paymentId, processedAt, event, attempts } = delivery;
      update(keyOf(delivery), {
        transactionId: delivery.transactionId,
        outcome,
        paymentId,
        processedAt,
        ...(event === undefined ? {} : { event }),
        ...(attempts === undefined ? {} : { attempts }),
      });
    },
    redact(delivery: MemoryDelivery): void {
      update(keyOf(delivery), { bytes: new Uint8Array() });
    },
    /** Returns false when the delivery is gone already. */
    remove: (delivery: MemoryDelivery): boolean => deliveries.delete(keyOf(delivery)),
    all: (): readonly MemoryDelivery[] => [...deliveries.values()],
  };
}

// A byte array cannot be frozen, so every reader gets a copy.
function copyOf(delivery: Delivery): Delivery {
  return { ...delivery, bytes: Uint8Array.from(delivery.bytes) };
}
