import {
  type CheckoutStart,
  confirmForShopper,
  type Engine,
  type IncomingWebhook,
  type Order,
  type RecoveryOptions,
  type Refund,
  type RefundRequest,
  receiveWebhook,
  recordCancel,
  recoverPayments,
  refundPayment,
  runDue,
  startCheckout,
  verifyPayment,
  watchPayment,
} from "@tillkit/core";
import {
  type Decided,
  type Decision,
  decide,
  type TransactionCandidate,
  transactionCandidates,
  type View,
  viewPayment,
} from "@tillkit/core/back-office";
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
  /** What the payment's page shows to a person; null: the ledger does not know the payment. */
  view(paymentId: string): Promise<View | null>;
  decide(decision: Decision): Promise<Decided>;
  /** A refund that the shop asks for. */
  refund(request: RefundRequest): Promise<Refund>;
  /** The completed transactions that fit a payment of which the service names none. */
  transactionCandidates(paymentId: string): Promise<readonly TransactionCandidate[]>;
  /** Recovers payments after the ledger was restored from a backup. */
  recover(options: RecoveryOptions): Promise<unknown>;
  /** Runs the due jobs once. */
  runDue(): ReturnType<typeof runDue>;
};

/** The production engine. */
export function createApp(engine: Engine): SimulatedApp {
  const office = { engine, acts: { recordAct: async () => {} } };
  return {
    start: (order) => startCheckout(engine, order),
    receive: (webhook) => receiveWebhook(engine, webhook),
    returnFromPayment: (paymentId) => confirmForShopper(engine, paymentId),
    watch: (paymentId) => watchPayment(engine, paymentId),
    cancel: (paymentId) => recordCancel(engine, paymentId),
    verify: (paymentId) => verifyPayment(engine, paymentId),
    view: async (paymentId) => {
      const payment = await engine.ledger.find({ id: paymentId });
      return payment && (await viewPayment(office, payment));
    },
    decide: (decision) => decide(office, decision),
    refund: (request) => refundPayment(engine, request),
    transactionCandidates: (paymentId) => transactionCandidates(engine, paymentId),
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
