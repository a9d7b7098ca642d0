import type { SimulatedTransaction } from "./service-readings.ts";

/** A dispute at the service. The amount is null where the service shows none that can be read. */
export type SimulatedDispute = {
  readonly id: string;
  readonly transaction: SimulatedTransaction;
  readonly amount: number | null;
  readonly currency: string;
  /** Counts the events, so that each event is newer than the one before. */
  version: number;
  /** `closed`: it ended without an outcome, so the money stays away. */
  state: "open" | "won" | "lost" | "closed";
};

/** What disputes have taken from the transaction: an amount that is unknown or in another currency counts whole. */
export function disputedAmount(disputes: readonly SimulatedDispute[], transaction: SimulatedTransaction): number {
  return disputes
    .filter((dispute) => dispute.transaction === transaction && dispute.state !== "won")
    .map(({ amount, currency }) => (amount === null || currency !== transaction.currency ? transaction.amount : amount))
    .reduce((sum, amount) => sum + amount, 0);
}
