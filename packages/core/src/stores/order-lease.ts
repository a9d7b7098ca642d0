import { limits } from "../domain/limits.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Engine } from "../engine.ts";

export type Fence = { readonly ref: OrderRef; readonly value: number };

/** Runs `work` as the only writer of an order over all processes. Null: another writer holds the lease. */
export async function withOrderLease<Value>(
  engine: Engine,
  ref: OrderRef,
  work: (fence: Fence) => Promise<Value>,
): Promise<Value | null> {
  const { ledger, clock, random } = engine;
  // A unique name for each call, because two calls of one process must exclude each other like two processes.
  const worker = `${engine.worker}:${random.uuid()}`;
  const value = await ledger.lockOrder(ref, worker, clock.now(), limits.orderLeaseMs);
  if (value === null) return null;
  try {
    return await work({ ref, value });
  } finally {
    await ledger.unlockOrder(ref, value);
  }
}

/** Renews the lease right before a write to the store, so the write has the whole lease time. false: the lease was lost. */
export async function renewOrderLease(engine: Engine, fence: Fence): Promise<boolean> {
  return await engine.ledger.renewOrder(fence.ref, fence.value, engine.clock.now(), limits.orderLeaseMs);
}
