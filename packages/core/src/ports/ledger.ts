import type { LedgerRetention } from "./ledger-retention.ts";
import type { LedgerView } from "./ledger-view.ts";
import type { PaymentLedger } from "./payment-ledger.ts";
import type { Records } from "./records.ts";
import type { SharedBudget } from "./shared-budget.ts";

/** All that one database keeps: what the use-cases need, what operators look at, what platforms keep for themselves. */
export interface Ledger extends PaymentLedger, LedgerView, LedgerRetention, SharedBudget {
  readonly records: Records;
  /**
   * The same for what nobody may read who finds the database: keys, tokens. Sealed where it is kept.
   * @throws CheckoutError `configuration_invalid` without a key to seal with, `secret_unreadable`
   */
  readonly secrets: Records;
  close(): Promise<void>;
}
