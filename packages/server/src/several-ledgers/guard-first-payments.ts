import { type Change, CheckoutError, type Ledger, type OrderRef } from "@tillkit/core";
import { serverLimits } from "../limits.ts";
import type { LedgerNode, Ports } from "./ledger-node.ts";
import { hasPayment, type OrderLedgers } from "./order-ledgers.ts";

/**
 * A ledger that takes the first payment of an order only if no other ledger has a payment of that order or will ever take one.
 *
 * This ledger takes the order's fence, then reads whether the store has left, and then commits the first payment under that fence. The
 * ledger to which a store moved takes the order's fence in every earlier ledger before it looks for payments there. A process that has
 * not seen the move yet may start the same order in the earlier ledger. The process of the later ledger then either finds that payment,
 * or its newer fence makes the commit of that payment stale. This needs no clock.
 */
export function guardFirstPayments(node: LedgerNode, orderLedgers: OrderLedgers, ports: Ports): Ledger {
  const { ledger } = node;
  return {
    ...ledger,
    async commit(change) {
      if (change.payment?.expect !== "new") return await ledger.commit(change);
      await node.assertIdentity();
      const { state, ref } = change.payment.next;
      // A new payment in a later state is a recovered payment, which began in this ledger before its store moved. An order with a
      // payment in this ledger stays in this ledger.
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
