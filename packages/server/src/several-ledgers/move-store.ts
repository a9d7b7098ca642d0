import { CheckoutError, type Clock, type Engine, FINAL_STATES, PAYMENT_STATES, type PaymentState } from "@tillkit/core";
import { findCredential } from "../stores/recover-stores.ts";
import type { LedgerNode } from "./ledger-node.ts";
import type { OrderLedgers } from "./order-ledgers.ts";

/** One ledger of a store, in the order of its moves. */
export type StoreLedger = {
  readonly name: string;
  /** When the store left this ledger, in milliseconds since 1970; null for the ledger that the store is in now. */
  readonly leftAt: number | null;
  /** Payments of the store that may still change: they are open, held, being refunded, or paid and missing from the shop. */
  readonly unfinishedPayments: number;
};

export type MoveParts = {
  readonly nodes: readonly LedgerNode[];
  readonly orderLedgers: OrderLedgers;
  readonly engineOf: (node: LedgerNode) => Engine;
  readonly clock: Clock;
};

/** See `moveStore` of `MultiLedgerServer`. */
export async function moveStore(parts: MoveParts, storeId: string, to: string): Promise<void> {
  const { orderLedgers, engineOf, clock } = parts;
  const target = orderLedgers.named(to);
  const ledgersOfStore = await orderLedgers.ledgersOf(storeId);
  const source = ledgersOfStore.at(-1);
  if (source === undefined || source === target) return;
  if (ledgersOfStore.includes(target)) {
    throw invalid(`Store "${storeId}" has left ledger "${to}", and no store returns: move it to another ledger.`);
  }
  for (const node of [source, target]) await node.assertIdentity();
  await assertServes(engineOf(source), engineOf(target), storeId, to);
  const movedAt = clock.now();
  await target.moves.addArrival(storeId, { from: source.name, movedAt });
  const departure = await source.moves.addDeparture(storeId, { to, movedAt });
  if (departure.to !== to) throw invalid(`Store "${storeId}" was moved to ledger "${departure.to}" at this moment.`);
}

/** @throws CheckoutError when the target's server lacks the store, or a key for an environment in which the source's server has a key */
async function assertServes(source: Engine, target: Engine, storeId: string, to: string): Promise<void> {
  await target.store(storeId);
  for (const environment of ["live", "test"] as const) {
    const isNeeded = (await findCredential(source, storeId, environment)) !== null;
    if (isNeeded && (await findCredential(target, storeId, environment)) === null) {
      throw invalid(`Ledger "${to}" has no ${environment} key of store "${storeId}": add it to its credentials first.`);
    }
  }
}

/** See `storeLedgers` of `MultiLedgerServer`. */
export async function listStoreLedgers({ orderLedgers }: MoveParts, storeId: string): Promise<readonly StoreLedger[]> {
  const ledgersOfStore = await orderLedgers.ledgersOf(storeId);
  return await Promise.all(
    ledgersOfStore.map(async ({ name, ledger, moves }) => ({
      name,
      leftAt: (await moves.departure(storeId))?.movedAt ?? null,
      unfinishedPayments: unfinishedOf(await ledger.countPayments({ storeId })),
    })),
  );
}

function unfinishedOf(counts: Readonly<Record<PaymentState, number>>): number {
  return PAYMENT_STATES.filter((state) => !FINAL_STATES.has(state)).reduce((sum, state) => sum + counts[state], 0);
}

/** Writes again the departures that a ledger lost when it was restored from a backup. @throws CheckoutError, DatabaseError */
export async function restoreDepartures({ nodes, orderLedgers }: MoveParts): Promise<void> {
  for (const node of nodes) await node.assertIdentity();
  for (const { name, moves } of nodes) {
    for await (const { storeId, from, movedAt } of moves.arrivals()) {
      await orderLedgers.named(from).moves.addDeparture(storeId, { to: name, movedAt });
    }
  }
}

function invalid(message: string): CheckoutError {
  return new CheckoutError("configuration_invalid", message);
}
