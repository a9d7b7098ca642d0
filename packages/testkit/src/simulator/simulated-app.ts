import {
  acceptReview,
  type CheckoutStart,
  confirmForShopper,
  decideDispute,
  type Engine,
  type IncomingWebhook,
  nameTransaction,
  type Order,
  type RecoveryOptions,
  type Refund,
  type RefundRequest,
  receiveWebhook,
  recordCancel,
  recoverPayments,
  refundPayment,
  refundReview,
  runDue,
  startCheckout,
  type TransactionCandidate,
  transactionCandidates,
  verifyPayment,
  watchPayment,
} from "@tillkit/core";
import type { KillableProcess } from "../killable-process.ts";

/** The entry points of one server process. */
export type SimulatedApp = {
  start(order: Order): Promise<CheckoutStart>;
  receive(webhook: IncomingWebhook): Promise<{ readonly status: number }>;
  /** The shopper comes back from the hosted page. */
  returnFromPayment(paymentId: string): Promise<unknown>;
  watch(paymentId: string): Promise<unknown>;
  cancel(paymentId: string): Promise<unknown>;
  /** A platform with its own lock on the order calls us back to authorize a payment. */
  verify(paymentId: string): ReturnType<typeof verifyPayment>;
  /** `seen`: the `findingKey` of the difference that the owner saw. */
  accept(paymentId: string, seen: string): Promise<unknown>;
  refundReview(paymentId: string): Promise<unknown>;
  refund(request: RefundRequest): Promise<Refund>;
  /** The completed transactions that fit a payment of which the service names none. */
  transactionCandidates(paymentId: string): Promise<readonly TransactionCandidate[]>;
  nameTransaction(decision: Parameters<typeof nameTransaction>[1]): Promise<unknown>;
  decideDispute(decision: Parameters<typeof decideDispute>[1]): Promise<unknown>;
  /** Recovers payments after the ledger was restored from a backup. */
  recover(options: RecoveryOptions): Promise<unknown>;
  /** Runs the due jobs once. */
  runDue(): Promise<unknown>;
};

/** The production engine. */
export function createApp(engine: Engine): SimulatedApp {
  return {
    start: (order) => startCheckout(engine, order),
    receive: (webhook) => receiveWebhook(engine, webhook),
    returnFromPayment: (paymentId) => confirmForShopper(engine, paymentId),
    watch: (paymentId) => watchPayment(engine, paymentId),
    cancel: (paymentId) => recordCancel(engine, paymentId),
    verify: (paymentId) => verifyPayment(engine, paymentId),
    accept: (paymentId, seen) => acceptReview(engine, { paymentId, by: "owner", seen }),
    refundReview: (paymentId) => refundReview(engine, { paymentId, by: "owner" }),
    refund: (request) => refundPayment(engine, request),
    transactionCandidates: (paymentId) => transactionCandidates(engine, paymentId),
    nameTransaction: (decision) => nameTransaction(engine, decision),
    decideDispute: (decision) => decideDispute(engine, decision),
    recover: (options) => recoverPayments(engine, options),
    runDue: () => runDue(engine),
  };
}

/** One server process, which a fault can kill. Its engine and all other memory are lost then. */
export type SimulatedProcess = {
  readonly app: SimulatedApp;
  readonly engine: Engine;
  readonly handle: KillableProcess;
  /** The process's own clock, which may be skewed. */
  readonly now: () => number;
  readonly isAsleep: () => boolean;
};
