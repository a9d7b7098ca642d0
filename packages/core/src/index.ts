export {
  type BackOffice,
  findPaymentOf,
  SHOP_REFUNDS,
  viewPayment,
  viewPaymentAnew,
} from "./back-office/back-office.ts";
export { decide } from "./back-office/decide.ts";
export type {
  Choice,
  ChoiceKind,
  Decided,
  Decision,
  Host,
  HostDecision,
  HostFacts,
  Offer,
  Person,
  Placed,
  View,
} from "./back-office/decision.ts";
export { isHeld, isOffered, offerOf, refundOffered } from "./back-office/offers.ts";
export { paymentsToDecide } from "./back-office/payments-to-decide.ts";
export { personName } from "./back-office/person-name.ts";
export { type ConfirmOptions, confirmPayment } from "./confirm/confirm-payment.ts";
export type { ConfirmResult } from "./confirm/confirm-result.ts";
export { type IncomingWebhook, receiveWebhook, type WebhookAnswer } from "./deliveries/receive-webhook.ts";
export { decideDispute } from "./disputes/decide-dispute.ts";
export {
  CheckoutError,
  type CheckoutErrorCode,
  changedMeanwhile,
  codeOf,
  requestIdOf,
} from "./domain/checkout-error.ts";
export {
  DELIVERY_OUTCOMES,
  type DeliveredEvent,
  type DeliveredTransaction,
  type Delivery,
  type DeliveryOutcome,
  type ProcessedDelivery,
} from "./domain/delivery.ts";
export {
  type Dispute,
  type DisputeOutcome,
  type DisputeStatus,
  isLostDispute,
  isOpenDispute,
} from "./domain/dispute.ts";
export {
  balance,
  type Equation,
  equationOf,
  equationsOf,
  isLostToDispute,
  sumOfEquations,
  surplusOf,
} from "./domain/equation.ts";
export { type Finding, type FindingCode, findingKey, sameFinding } from "./domain/finding.ts";
export {
  exponentialBackoff,
  formatJobError,
  type HostJobKind,
  isHostJobKind,
  isKnownJobKind,
  isWaiting,
  JOB_KINDS,
  type Job,
  type JobError,
  type JobKind,
  type NewHostJob,
  type NewJob,
  type NewPaymentJob,
} from "./domain/job.ts";
export { type Evidence, judge } from "./domain/judge.ts";
export { latestDueAt, limits } from "./domain/limits.ts";
export {
  type AmountUnit,
  CURRENCY_DECIMALS,
  decimalsOf,
  decimalText,
  formatMoney,
  fromWire,
  type Language,
  type Money,
  money,
  parseMoney,
  sameMoney,
  toWire,
} from "./domain/money.ts";
export {
  isCertain,
  type MovementEvidence,
  type Movements,
  namesTransaction,
  type PaidTransaction,
} from "./domain/movement.ts";
export type { NotPayable } from "./domain/not-payable.ts";
export type { Customer, Environment, Order, OrderRef } from "./domain/order.ts";
export {
  amountUnitOf,
  NEW_PAYMENT_DEFAULTS,
  type Payment,
  type PaymentSession,
  type Waiver,
} from "./domain/payment.ts";
export {
  afterFact,
  type Fact,
  FINAL_STATES,
  PAYMENT_FACTS,
  PAYMENT_STATES,
  type PaymentState,
} from "./domain/payment-states.ts";
export type { Receipt } from "./domain/receipt.ts";
export { hasNoResult, isInDoubt, type Refund, type RefundReading, type RefundState } from "./domain/refund.ts";
export { isRetryable, type Refusal } from "./domain/refusal.ts";
export { safeReason, safeText } from "./domain/safe-text.ts";
export type { SessionReading } from "./domain/session-reading.ts";
export { readFinding } from "./domain/stored-finding.ts";
export { readEntry, type TimelineEntry, toStoredEntry, wasRecorded } from "./domain/timeline.ts";
export type { Verdict } from "./domain/verdict.ts";
export { type AutoRefundReason, createEngine, type Engine, type EngineOptions } from "./engine.ts";
export { retryDeadJob } from "./jobs/retry-dead-job.ts";
export { type RunResult, runDue, type StartedRun, startDue } from "./jobs/run-due.ts";
export { nameTransaction, type TransactionCandidate, transactionCandidates } from "./movements/name-transaction.ts";
export { gatherMovements } from "./payments/gather-movements.ts";
export { signalJob } from "./payments/payment-jobs.ts";
export { type PaymentStatus, paymentStatusOf } from "./payments/payment-status.ts";
export { shownPayment } from "./payments/shown-payment.ts";
export type { Clock } from "./ports/clock.ts";
export type {
  CredentialChange,
  CredentialConfig,
  CredentialEntry,
  CredentialKey,
  CredentialLookup,
  Credentials,
  KeptSecrets,
} from "./ports/credentials.ts";
export type { DeliveryAttempt, EndpointReading } from "./ports/endpoint-reading.ts";
export type { HostJob, HostJobResult } from "./ports/host-job.ts";
export type { Ledger } from "./ports/ledger.ts";
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
export type { Log, LogFields } from "./ports/log.ts";
export type { OperatorAct, OperatorActs } from "./ports/operator-acts.ts";
export type {
  Change,
  KeyedJob,
  LedgerCondition,
  MarkHistory,
  PaymentKey,
  PaymentLedger,
} from "./ports/payment-ledger.ts";
export type { PaymentGroup, PaymentStatistics, StatisticsQuery } from "./ports/payment-statistics.ts";
export type { Random } from "./ports/random.ts";
export type { RecordRow, Records } from "./ports/records.ts";
export type {
  DeliveredEventsQuery,
  LoggedEvent,
  RefundList,
  RefundsQuery,
  Service,
  TransactionReading,
} from "./ports/service.ts";
export type { BudgetWindow, SharedBudget } from "./ports/shared-budget.ts";
export {
  type RefundToRecord,
  type ShopperOutcome,
  type StoreAdapter,
  type StoreAnswer,
  StoreError,
  type StoreErrorCode,
  type WriteClass,
  type WritingMember,
} from "./ports/store-adapter.ts";
export type { ShownByStore, ShownRefund, StoreRefunds } from "./ports/store-refunds.ts";
export type { Credential, Tenants, WebhookEndpoint } from "./ports/tenants.ts";
export type { TracedStep, Tracing } from "./ports/tracing.ts";
export { describeRecovery } from "./recovery/describe-recovery.ts";
export { type ReconcileResult, reconcileStore } from "./recovery/reconcile-store.ts";
export { type RecoveryOptions, type RecoveryResult, recoverPayments } from "./recovery/recover-payments.ts";
export { type RefundRequest, refundPayment } from "./refunds/refund-payment.ts";
export { settleRefund } from "./refunds/settle-refund.ts";
export { syncRefunds } from "./refunds/sync-refunds.ts";
export type { CircuitBreaker, CircuitBreakers } from "./resilience/circuit-breakers.ts";
export { setTimer, withDeadline } from "./resilience/deadline.ts";
export { runWithRenewal } from "./resilience/renewal.ts";
export { resolveWithin } from "./resilience/resolve-within.ts";
export { type Acceptance, acceptReview, isAcceptable, type ReviewDecision } from "./reviews/accept-review.ts";
export { refundReview } from "./reviews/refund-review.ts";
export type { CreateBudget, CreateClient } from "./service/credential-config.ts";
export { serviceFromClient } from "./service/service-from-client.ts";
export { createSharedBudget, type SharedBudgetOptions } from "./service/shared-budget.ts";
export { createTenants, type StaticTenantsOptions } from "./service/static-tenants.ts";
export {
  createStoredTenants,
  type StoredCredential,
  type StoredTenants,
  type StoredTenantsOptions,
} from "./service/stored-tenants.ts";
export { recordCancel } from "./shopper/record-cancel.ts";
export { confirmForShopper, confirmOnReturn, watchPayment } from "./shopper/watch-payment.ts";
export { type KeyPurpose, purposeKey } from "./signing/purpose-key.ts";
export { readReference, signReference } from "./signing/reference.ts";
export { withoutMark } from "./signing/refund-mark.ts";
export { type CheckoutStart, startCheckout } from "./start/start-checkout.ts";
export { sendRefundAgain, settleRefundOutside } from "./store-refunds/decide-failed-refund.ts";
export {
  type FailedStoreRefund,
  findFailedRefunds,
  isRefundSettled,
  replaceFailedRefund,
} from "./store-refunds/failed-refunds.ts";
export { recordMissingRefunds } from "./store-refunds/missing-refunds.ts";
export { payBookedRefund, paymentOfRefund, type UnpaidWhy, unsentKeys } from "./store-refunds/pay-booked-refund.ts";
export { endPendingRefunds, hasEndedAs } from "./store-refunds/pending-refunds.ts";
export { requestStoreRefund, type StoreRefundAnswer } from "./store-refunds/request-refund.ts";
export { refundableRest, requestRest } from "./store-refunds/request-rest.ts";
export { assertStoreAdapter } from "./stores/assert-store-adapter.ts";
export { writeClassOf } from "./stores/call-store.ts";
export { createGroupClaims, type GroupClaim, type GroupClaims } from "./stores/group-claims.ts";
export { silentLog, systemClock, systemRandom } from "./system.ts";
export { explainDispute } from "./texts/dispute-texts.ts";
export { explainFinding, type Reader } from "./texts/finding-texts.ts";
export { explainDoubt, explainEquation, explainLostPayment } from "./texts/money-texts.ts";
export { explainChanged, explainRefusal, refusalText } from "./texts/refusal-texts.ts";
export { type Explanation, explainPayment } from "./timeline/explain-payment.ts";
export { verifyPayment } from "./verify/verify-payment.ts";
