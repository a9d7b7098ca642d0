export { adoptLost, type LostAndFound, type Search } from "./checkout/adopt-lost.ts";
export type { Breaker, Breakers } from "./checkout/breakers.ts";
export { type Confirm, confirmPayment } from "./checkout/confirm-payment.ts";
export type { Confirmed } from "./checkout/confirmed.ts";
export { withDeadline } from "./checkout/deadline.ts";
export { acceptReview, isAcceptable, type ReviewDecision, refundReview } from "./checkout/decide-review.ts";
export { explainDispute } from "./checkout/dispute-words.ts";
export { createEngine, type Engine, type EngineOptions, type GiveBack } from "./checkout/engine.ts";
export { type Explanation, explainFinding, explainPayment } from "./checkout/explain-payment.ts";
export { createGroupClaims, type GroupClaim, type GroupClaims } from "./checkout/group-claims.ts";
export { learnRefunds, moneyLeft } from "./checkout/learn-refunds.ts";
export { type IncomingWebhook, receiveWebhook, type WebhookAnswer } from "./checkout/receive-webhook.ts";
export { type Reconciled, reconcileStore } from "./checkout/reconcile-store.ts";
export { type RefundWish, refundPayment } from "./checkout/refund-payment.ts";
export { replayJob } from "./checkout/replay-job.ts";
export { type BegunRound, beginDue, type Round, runDue } from "./checkout/run-due.ts";
export { shownPayment } from "./checkout/shown-payment.ts";
export { type Standing, standingOf } from "./checkout/standing.ts";
export { type CheckoutStart, startCheckout } from "./checkout/start-checkout.ts";
export { tellCancel } from "./checkout/tell-cancel.ts";
export { verifyPayment } from "./checkout/verify-payment.ts";
export { confirmForShopper, confirmOnReturn, watchPayment } from "./checkout/watch-payment.ts";
export { within } from "./checkout/within.ts";
export { CheckoutError, type CheckoutErrorCode, codeOf, requestIdOf } from "./domain/checkout-error.ts";
export { DELIVERY_OUTCOMES, type Delivery, type DeliveryOutcome, type HeardDelivery } from "./domain/delivery.ts";
export { type Dispute, type DisputeOutcome, type DisputeStatus, isOpenDispute } from "./domain/dispute.ts";
export { type Finding, type FindingCode, sameFinding } from "./domain/finding.ts";
export { type Job, type JobKind, type NewJob, onlyWaited } from "./domain/job.ts";
export { type Evidence, judge, NOT_PAYABLE } from "./domain/judge.ts";
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
  sameMoney,
  toWire,
} from "./domain/money.ts";
export type { Environment, Order, OrderRef } from "./domain/order.ts";
export { amountUnitOf, type Payment, type PaymentSession, paidMoney, type Waiver } from "./domain/payment.ts";
export { afterFact, type Fact, PAYMENT_FACTS, PAYMENT_STATES, type PaymentState } from "./domain/payment-states.ts";
export { type KeyPurpose, purposeKey } from "./domain/purpose-key.ts";
export type { Receipt } from "./domain/receipt.ts";
export { readReference, signReference } from "./domain/reference.ts";
export type { Refund, RefundReading, RefundState } from "./domain/refund.ts";
export { safeReason, safeText } from "./domain/safe-text.ts";
export type { SessionReading } from "./domain/session-reading.ts";
export type { StoryLine } from "./domain/story.ts";
export type { Verdict } from "./domain/verdict.ts";
export { createMemoryLedger, type MemoryLedger } from "./memory-ledger/memory-ledger.ts";
export type { Clock } from "./ports/clock.ts";
export type { Ledger } from "./ports/ledger.ts";
export type { Erased, LedgerRetention, OrderExport } from "./ports/ledger-retention.ts";
export type { KeptDelivery, KeptJob, LedgerView, Page, Pages } from "./ports/ledger-view.ts";
export type { Log, LogFields } from "./ports/log.ts";
export type { Change, PaymentKey, PaymentLedger } from "./ports/payment-ledger.ts";
export type { Random } from "./ports/random.ts";
export type { RecordRow, Records } from "./ports/records.ts";
export type { Service, TransactionReading } from "./ports/service.ts";
export type { BudgetWindow, SharedBudget } from "./ports/shared-budget.ts";
export {
  type BuyerOutcome,
  type StoreAdapter,
  type StoreAnswer,
  StoreError,
  type StoreErrorCode,
  type WriteClass,
} from "./ports/store-adapter.ts";
export type { Credential, Tenants, WebhookEndpoint } from "./ports/tenants.ts";
export type { CreateBudget, CreateClient, CredentialConfig, CredentialEntry } from "./service/credential-config.ts";
export { serviceFromClient } from "./service/service-from-client.ts";
export { createSharedBudget, type SharedBudgetOptions } from "./service/shared-budget.ts";
export { createTenants, type StaticTenantsOptions } from "./service/static-tenants.ts";
export {
  createStoredTenants,
  type StoredCredential,
  type StoredTenants,
  type StoredTenantsOptions,
} from "./service/stored-tenants.ts";
export { silentLog, systemClock, systemRandom } from "./system/system.ts";
