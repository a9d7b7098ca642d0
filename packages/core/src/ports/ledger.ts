import type { Credentials } from "./credentials.ts";
import type { LedgerArchive } from "./ledger-archive.ts";
import type { LedgerRetention } from "./ledger-retention.ts";
import type { LedgerView } from "./ledger-view.ts";
import type { OperatorActs } from "./operator-acts.ts";
import type { PaymentLedger } from "./payment-ledger.ts";
import type { Records } from "./records.ts";
import type { SharedBudget } from "./shared-budget.ts";

/** Everything that one database stores: the payments of the engine, the lists for operators, what operators did, the API keys of the service, and the records of platforms. */
export interface Ledger extends PaymentLedger, LedgerView, LedgerRetention, LedgerArchive, OperatorActs, SharedBudget {
  readonly records: Records;
  /** @throws CheckoutError `configuration_invalid` when no encryption key is configured, `secret_unreadable` */
  readonly credentials: Credentials;
  /**
   * Records whose values are encrypted at rest, such as tokens.
   * @throws CheckoutError `configuration_invalid` when no encryption key is configured, `secret_unreadable`
   */
  readonly secrets: Records;
  close(): Promise<void>;
}
