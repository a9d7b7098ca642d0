/** For adapters whose store makes refunds of its own. */
export { recordRefundWithin } from "./jobs/store-jobs.ts";
export type { ShownByStore, ShownRefund, StoreRefunds } from "./ports/store-refunds.ts";
export { sendRefundAgain, settleRefundOutside } from "./store-refunds/decide-failed-refund.ts";
export {
  type FailedStoreRefund,
  findFailedRefunds,
  isRefundSettled,
  replaceFailedRefund,
} from "./store-refunds/failed-refunds.ts";
export { recordMissingRefunds } from "./store-refunds/missing-refunds.ts";
export {
  type BookedAnswer,
  type BookedRefund,
  payBookedRefund,
  paymentOfRefund,
  type UnpaidWhy,
  unsentKeys,
} from "./store-refunds/pay-booked-refund.ts";
export { endPendingRefunds, hasEndedAs } from "./store-refunds/pending-refunds.ts";
export type { RefundRequestOfStore } from "./store-refunds/repeated-request.ts";
export { requestStoreRefund, type StoreRefundAnswer, type StoreRefundHost } from "./store-refunds/request-refund.ts";
export { refundableRest, requestRest } from "./store-refunds/request-rest.ts";
