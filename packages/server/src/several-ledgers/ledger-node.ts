import type { Clock, Ledger, Random } from "@tillkit/core";
import type { NamedLedger } from "./multi-ledger-options.ts";
import { createStoreMoves, type StoreMoves } from "./store-moves.ts";

/** A ledger with what is known about the stores that left it or came to it. */
export type LedgerNode = {
  readonly name: string;
  readonly ledger: Ledger;
  readonly moves: StoreMoves;
  /** @throws CheckoutError `configuration_invalid` when the database belongs to another name or another first ledger */
  assertIdentity(): Promise<void>;
};

export type Ports = { readonly clock: Clock; readonly random: Random };

export function createLedgerNode({ name, ledger }: NamedLedger, firstName: string): LedgerNode {
  const moves = createStoreMoves(ledger.records);
  let hasIdentity = false;
  return {
    name,
    ledger,
    moves,
    async assertIdentity() {
      if (hasIdentity) return;
      await moves.assertIdentity({ name, firstName });
      hasIdentity = true;
    },
  };
}
