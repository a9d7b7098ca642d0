import { type Change, CheckoutError, type Ledger, type OrderRef } from "@tillkit/core";
import { serverLimits } from "../limits.ts";
import type { LedgerNode, Ports } from "./ledger-node.ts";
import { hasPayment, type OrderLedgers } from "./order-ledgers.ts";

/**
 * A ledger that takes the first payment of an order only if no other ledger has a payment of that order or will ever take one.
 *
 * A process that uses this ledger commits the first payment of an order in four steps:
 * 1. In every earlier ledger of the store it takes the order's fence and looks for a payment. If it finds one, it stops.
 * 2. It takes the order's fence in this ledger.
 * 3. It reads whether the store has left this ledger. If so, it stops.
 * 4. It commits the payment under its fence.
 *
 * Another process may not have seen the move and may start the same order in an earlier ledger. If it commits before step 1, step 1
 * finds its payment. If it took its fence before step 1 and commits afterwards, the newer fence of step 1 makes its commit stale. If it
 * takes its fence after step 1, its own step 3 finds that the store has left. Clocks that differ only change how long the fence's lease
 * lasts, and not this result.
 */
export function guardFirstPayments(node: LedgerNode, orderLedgers: OrderLedgers, ports: Ports): Ledger {
  const { ledger } = node;
  return {
    ...ledger,
    async commit(change) {
      if (change.payment?.expect !== "new") return await ledger.commit(change);
      await node.assertIdentity();
      const { state, ref } = change.payment.next;
      // A payment that this ledger does not have yet, but whose state is past "intent", is being recovered: it began in this ledger
      // before its store moved. An order with a payment in this ledger stays in this ledger.
      if (state !== "intent" || (await hasPayment(node, ref))) return await ledger.commit(change);
      await assertNotInEarlierLedger(node, orderLedgers, ref, ports);
      return await commitUnderFence(node, ref, change, ports);
    },
  };
}

async function assertNotInEarlierLedger(node: LedgerNode, orderLedgers: OrderLedgers, ref: OrderRef, ports: Ports) {
  const ledgersOfStore = await orderLedgers.ledgersOf(ref.storeId);
  if (!ledgersOfStore.includes(node)) throw ledgerBusy();
  for (const earlier of ledgersOfStore.slice(0, ledgersOfStore.indexOf(node))) {
    await earlier.assertIdentity();
    if (await hasPaymentUnderFence(earlier, ref, ports)) throw ledgerBusy();
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
  // Another process kept the order locked. Whether it starts a payment there is unknown, so the caller has to try again.
  throw ledgerBusy();
}

async function commitUnderFence(node: LedgerNode, ref: OrderRef, change: Change, ports: Ports) {
  const value = await lock(node, ref, ports);
  if (value === null) return "stale";
  try {
    if ((await node.moves.departure(ref.storeId)) !== null) throw ledgerBusy();
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

function ledgerBusy(): CheckoutError {
  const message = "The payments of this order belong to another ledger: try again in a moment.";
  return new CheckoutError("ledger_busy", message, { retryable: true });
}
