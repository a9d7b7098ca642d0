/** For those who store payments: the ports of a ledger, and what its rows say. */
export {
  DELIVERY_OUTCOMES,
  type DeliveredEvent,
  type DeliveredTransaction,
  type Delivery,
  type DeliveryOutcome,
  type ProcessedDelivery,
} from "./domain/delivery.ts";
export {
  type DisputeOutcome,
  type DisputeStatus,
  isLostDispute,
  isOpenDispute,
  isPastDeadline,
} from "./domain/dispute.ts";
export {
  balance,
  equationOf,
  equationOfTransaction,
  equationsOf,
  isLostToDispute,
  linesOf,
  shortfallOf,
  sumOfEquations,
  surplusOf,
} from "./domain/equation.ts";
export {
  exponentialBackoff,
  formatJobError,
  type HostJobKind,
  isHostJobKind,
  isKnownJobKind,
  isWaiting,
  JOB_KINDS,
  type Job,
  type JobKind,
  type NewHostJob,
  type NewJob,
  type NewPaymentJob,
} from "./domain/job.ts";
export { latestDueAt } from "./domain/limits.ts";
export {
  isCertain,
  type MovementEvidence,
  type Movements,
  namesTransaction,
  PAID_STATUSES,
  type PaidTransaction,
} from "./domain/movement.ts";
export { NEW_PAYMENT_DEFAULTS, type PaymentSession, type Waiver } from "./domain/payment.ts";
export { afterFact, type Fact, FINAL_STATES, PAYMENT_FACTS, PAYMENT_STATES } from "./domain/payment-states.ts";
export type { RefundState } from "./domain/refund.ts";
export { readFinding } from "./domain/stored-finding.ts";
export { readEntry, toStoredEntry, wasRecorded } from "./domain/timeline.ts";
export type {
  CredentialChange,
  CredentialEntry,
  CredentialKey,
  CredentialLookup,
  Credentials,
  KeptSecrets,
} from "./ports/credentials.ts";
export type {
  Archived,
  ArchivedDelivery,
  ArchiveRequest,
  LedgerArchive,
  PaymentHistory,
} from "./ports/ledger-archive.ts";
export type { Erased, LedgerRetention, OrderExport } from "./ports/ledger-retention.ts";
export type {
  LedgerView,
  Page,
  PageRequest,
  PaymentFilter,
  PaymentWithMovements,
  StoredDelivery,
  StoredJob,
  TransactionDetails,
} from "./ports/ledger-view.ts";
export type { OperatorAct, OperatorActs } from "./ports/operator-acts.ts";
export type { Change, KeyedJob, LedgerCondition, MarkHistory, PaymentKey } from "./ports/payment-ledger.ts";
export type { PaymentGroup, PaymentStatistics, StatisticsQuery } from "./ports/payment-statistics.ts";
export type { RecordRow, Records } from "./ports/records.ts";
export type { BudgetWindow, SharedBudget } from "./ports/shared-budget.ts";
