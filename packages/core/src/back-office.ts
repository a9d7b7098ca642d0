/** For pages and commands of owners and operators: what a person sees, decides and reads. */
export {
  type BackOffice,
  findPaymentOf,
  personName,
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
export { explainNotDone } from "./back-office/explain-decided.ts";
export { HELD_STATES, isHeld, isOffered, offerOf, refundOffered } from "./back-office/offers.ts";
export { paymentsToDecide } from "./back-office/payments-to-decide.ts";
export {
  obstacleToRefund,
  type PreparedRefund,
  prepareRefund,
  type RefundSubject,
  refundSubjectOf,
} from "./back-office/prepare-refund.ts";
export { mostRefundable } from "./domain/equation.ts";
export { ACCEPTED_BY_MARKING_PAID } from "./domain/finding.ts";
export { isDoneByHand, REFUND_NOT_RECORDED } from "./domain/job.ts";
export { type DeadJobAnswer, endDeadJob, retryDeadJob } from "./jobs/dead-jobs.ts";
export { type TransactionCandidate, transactionCandidates } from "./movements/name-transaction.ts";
export { awaitsAutoRefund } from "./payments/payment-jobs.ts";
export { type Acceptance, isAcceptable, type ReviewDecision } from "./reviews/accept-review.ts";
export { explainDispute } from "./texts/dispute-texts.ts";
export { explainDoubt, explainEquation, explainLostPayment } from "./texts/money-texts.ts";
export { explainChanged, explainUnknownPayment } from "./texts/refusal-texts.ts";
