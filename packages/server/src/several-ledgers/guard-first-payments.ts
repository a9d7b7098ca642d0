import { type Change, CheckoutError, type Ledger, type OrderRef } from "@tillkit/core";
import { serverLimits } from "../limits.ts";
import type { LedgerNode, Ports } from "./ledger-node.ts";
import { hasPayment, type OrderLedgers } from "./order-ledgers.ts";

/**
 * A ledger that takes the first payment of an order only if no other ledger has one or will ever take one.
 *
 * Each first payment is committed under the order's fence in this ledger, and whether the store has left is read after the fence
 * was taken. A ledger that the store moved to takes the fence of the order in every earlier ledger before it looks for payments
 * there. So of two processes that see the move differently, one either finds the other's payment or makes its commit stale. No clock
 * takes part in this.
 */
export function guardFirstPayments(node: LedgerNode, orderLedgers: OrderLedgers, ports: Ports): Ledger {
  const { ledger } = node;
  return {
    ...ledger,
    async commit(change) {
      if (change.payment?.expect !== "new") return await ledger.commit(change);
      await node.assertIdentity();
      const { state, ref } = change.payment.next;
      // A recovered payment began here before, whatever happened to its store since. Payments stay where they are, so an order that
      // has one here is this ledger's for ever.
      if (state !== "intent" || (await hasPayment(node, ref))) return await ledger.commit(change);
      await assertNotInEarlierLedger(node, orderLedgers, ref, ports);
      return await commitUnderFence(node, ref, change, ports);
    },
  };
}

async function assertNotInEarlierLedger(node: LedgerNode, orderLedgers: OrderLedgers, ref: OrderRef, ports: Ports) {
  const path = await orderLedgers.path(ref.storeId);
  if (!path.includes(node)) throw inOtherLedger();
  for (const earlier of path.slice(0, path.indexOf(node))) {
    await earlier.assertIdentity();
    if (await hasPaymentUnderFence(earlier, ref, ports)) throw inOtherLedger();
  }
}

async function hasPaymentUnderFence(node: LedgerNode, ref: OrderRef, ports: Ports): Promise<boolean> {
  for (let attempt = 0; attempt < serverLimits.startLockAttempts; attempt += 1) {
    const fence = await lock(node, ref, ports);
    if (fence === null) continue;
    try {
      return await hasPayment(node, ref);
    } finally {
      await unlock(node, ref, fence);
    }
  }
  throw inOtherLedger();
}

async function commitUnderFence(node: LedgerNode, ref: OrderRef, change: Change, ports: Ports) {
  const value = await lock(node, ref, ports);
  if (value === null) return "stale";
  try {
    if ((await node.moves.departure(ref.storeId)) !== null) throw inOtherLedger();
    return await node.ledger.commit({ ...change, fence: { ref, value } });
  } finally {
    await unlock(node, ref, value);
  }
}

/** Null, after a pause, while another process starts a payment of this order. */
async function lock({ ledger }: LedgerNode, ref: OrderRef, { clock, random }: Ports): Promise<number | null> {
  const fence = await ledger.lockOrder(ref, random.uuid(), clock.now(), serverLimits.startLeaseMs);
  if (fence === null) await clock.sleep(serverLimits.startLockPauseMs);
  return fence;
}

// A lease that stays behind ends by itself.
async function unlock({ ledger }: LedgerNode, ref: OrderRef, fence: number): Promise<void> {
  await ledger.unlockOrder(ref, fence).catch(() => undefined);
}

function inOtherLedger(): CheckoutError {
  const message = "The payments of this order belong to another ledger: try again in a moment.";
  return new CheckoutError("ledger_busy", message, { retryable: true });
}
