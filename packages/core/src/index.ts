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
export type { Dispute } from "./domain/dispute.ts";
export type { Equation } from "./domain/equation.ts";
export { type Finding, type FindingCode, findingKey, sameFinding } from "./domain/finding.ts";
export type { JobError } from "./domain/job.ts";
export { limits } from "./domain/limits.ts";
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
  parseTypedAmount,
  sameMoney,
  toWire,
} from "./domain/money.ts";
export type { NotPayable } from "./domain/not-payable.ts";
export type { Customer, Environment, Order, OrderRef } from "./domain/order.ts";
export { amountUnitOf, type Payment, reportedMoney } from "./domain/payment.ts";
export { isPaying, type PaymentState } from "./domain/payment-states.ts";
export type { Receipt } from "./domain/receipt.ts";
export { hasNoResult, isInDoubt, type Refund, type RefundReading } from "./domain/refund.ts";
export { isRetryable, type Refusal } from "./domain/refusal.ts";
export { safeReason, safeText } from "./domain/safe-text.ts";
export type { SessionReading } from "./domain/session-reading.ts";
export type { TimelineEntry } from "./domain/timeline.ts";
export type { Verdict } from "./domain/verdict.ts";
export { type AutoRefundReason, createEngine, type Engine, type EngineOptions } from "./engine.ts";
export { type RunResult, runDue, type StartedRun, startDue } from "./jobs/run-due.ts";
export { nameTransaction } from "./movements/name-transaction.ts";
export { gatherMovements } from "./payments/gather-movements.ts";
export { signalJob } from "./payments/payment-jobs.ts";
export { type PaymentStatus, paymentStatusOf } from "./payments/payment-status.ts";
export { readProvider } from "./payments/read-provider.ts";
export { shownPayment } from "./payments/shown-payment.ts";
export type { Clock } from "./ports/clock.ts";
export type { CredentialConfig } from "./ports/credentials.ts";
export type { Ledger } from "./ports/ledger.ts";
export type { Log, LogFields } from "./ports/log.ts";
export type { PaymentLedger } from "./ports/payment-ledger.ts";
export type { Random } from "./ports/random.ts";
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
export { type ReconcileResult, reconcileStore } from "./recovery/reconcile-store.ts";
export { type RecoveryOptions, type RecoveryResult, recoverPayments } from "./recovery/recover-payments.ts";
export { type RefundRequest, refundPayment } from "./refunds/refund-payment.ts";
export { settleRefund } from "./refunds/settle-refund.ts";
export { syncRefunds } from "./refunds/sync-refunds.ts";
export { acceptReview } from "./reviews/accept-review.ts";
export { recordCancel } from "./shopper/record-cancel.ts";
export { confirmForShopper, confirmOnReturn, watchPayment } from "./shopper/watch-payment.ts";
export { type CheckoutStart, startCheckout } from "./start/start-checkout.ts";
export { assertStoreAdapter } from "./stores/assert-store-adapter.ts";
export { writeClassOf } from "./stores/call-store.ts";
export { silentLog, systemClock, systemRandom } from "./system.ts";
export { explainFinding, type Reader } from "./texts/finding-texts.ts";
export { PROVIDERS, providerName } from "./texts/provider-name.ts";
export { explainRefusal, refusalText } from "./texts/refusal-texts.ts";
export { type Explanation, explainPayment } from "./timeline/explain-payment.ts";
export { verifyPayment } from "./verify/verify-payment.ts";
