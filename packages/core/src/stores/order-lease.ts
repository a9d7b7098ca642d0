import { limits } from "../domain/limits.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Engine } from "../engine.ts";

export type Fence = { readonly ref: OrderRef; readonly value: number };

/** Runs `work` as the only writer of an order, across processes. Null: somebody else is at it. */
export async function withOrderLease<Value>(
  engine: Engine,
  ref: OrderRef,
  work: (fence: Fence) => Promise<Value>,
): Promise<Value | null> {
  const { ledger, clock, random } = engine;
  // A name per call: two tasks of one process must exclude each other like two processes.
  const worker = `${engine.worker}:${random.uuid()}`;
  const value = await ledger.lockOrder(ref, worker, clock.now(), limits.orderLeaseMs);
  if (value === null) return null;
  try {
    return await work({ ref, value });
  } finally {
    await ledger.unlockOrder(ref, value);
  }
}

/** Called right before a store is written: the whole lease lies ahead of the write. false: the lease was lost. */
export async function renewOrderLease(engine: Engine, fence: Fence): Promise<boolean> {
  return await engine.ledger.renewOrder(fence.ref, fence.value, engine.clock.now(), limits.orderLeaseMs);
}
