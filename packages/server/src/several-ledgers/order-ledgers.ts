import { CheckoutError, type OrderRef } from "@tillkit/core";
import type { LedgerNode } from "./ledger-node.ts";

/** Finds the ledger of an order: the ledger that took its first payment, or else the ledger that the store is in now. */
export type OrderLedgers = {
  /** @throws CheckoutError `configuration_invalid` when the store is in a ledger that this process does not have; DatabaseError */
  find(ref: OrderRef): Promise<LedgerNode>;
  /** The ledgers of a store, from the first ledger to the ledger that the store is in now. */
  ledgersOf(storeId: string): Promise<readonly LedgerNode[]>;
  /** @throws CheckoutError `configuration_invalid` when there is no such ledger */
  named(name: string): LedgerNode;
};

export function createOrderLedgers(nodes: readonly [LedgerNode, ...LedgerNode[]]): OrderLedgers {
  const [first] = nodes;

  function named(name: string): LedgerNode {
    const node = nodes.find((candidate) => candidate.name === name);
    if (node) return node;
    throw new CheckoutError("configuration_invalid", `This process has no ledger "${name}": add it to ledgers.`);
  }

  async function ledgersOf(storeId: string): Promise<readonly LedgerNode[]> {
    const ledgers: LedgerNode[] = [first];
    let last = first;
    while (ledgers.length <= nodes.length) {
      const departure = await last.moves.departure(storeId);
      if (departure === null) return ledgers;
      last = named(departure.to);
      ledgers.push(last);
    }
    throw new CheckoutError("configuration_invalid", `The moves of store "${storeId}" lead in a circle.`);
  }

  async function findByMoves(ref: OrderRef): Promise<LedgerNode> {
    const ledgers = await ledgersOf(ref.storeId);
    for (const node of ledgers.slice(0, -1)) if (await hasPayment(node, ref)) return node;
    return ledgers.at(-1) ?? first;
  }

  // While one ledger of a store is down, an order whose payments are in another ledger can still be paid.
  async function findDespite(error: unknown, ref: OrderRef): Promise<LedgerNode> {
    for (const node of nodes) if (await hasPayment(node, ref).catch(() => false)) return node;
    throw error;
  }

  return {
    named,
    find: (ref) => findByMoves(ref).catch((error: unknown) => findDespite(error, ref)),
    ledgersOf,
  };
}

export async function hasPayment({ ledger }: LedgerNode, ref: OrderRef): Promise<boolean> {
  return (await ledger.paymentsOfOrder(ref)).length > 0;
}
