export { CheckoutError, type CheckoutErrorCode } from "./domain/checkout-error.ts";
export type { Delivery } from "./domain/delivery.ts";
export { type Finding, type FindingCode, sameFinding } from "./domain/finding.ts";
export type { Job, JobKind, NewJob } from "./domain/job.ts";
export {
  type AmountUnit,
  CURRENCY_DECIMALS,
  decimalsOf,
  decimalText,
  formatMoney,
  type Language,
  type Money,
  money,
  parseMoney,
  sameMoney,
  wireAmount,
} from "./domain/money.ts";
export type { Environment, Order, OrderRef } from "./domain/order.ts";
export type { Payment, PaymentSession, Waiver } from "./domain/payment.ts";
export { afterFact, type Fact, PAYMENT_FACTS, PAYMENT_STATES, type PaymentState } from "./domain/payment-states.ts";
export type { Receipt } from "./domain/receipt.ts";
export type { Refund, RefundState } from "./domain/refund.ts";
export type { StoryLine } from "./domain/story.ts";
export type { Verdict } from "./domain/verdict.ts";
export type { Clock } from "./ports/clock.ts";
export type { Log, LogFields } from "./ports/log.ts";
export type { Change, PaymentKey, PaymentLedger } from "./ports/payment-ledger.ts";
export type { Random } from "./ports/random.ts";
export type { Records } from "./ports/records.ts";
export type { Service, SessionReading } from "./ports/service.ts";
export {
  type BuyerOutcome,
  type StoreAdapter,
  type StoreAnswer,
  StoreError,
  type StoreErrorCode,
  type WriteClass,
} from "./ports/store-adapter.ts";
export type { Credential, Tenants, WebhookEndpoint } from "./ports/tenants.ts";
