import {
  acceptReview,
  type CheckoutStart,
  confirmForShopper,
  type Engine,
  type IncomingWebhook,
  type Order,
  type Refund,
  type RefundRequest,
  receiveWebhook,
  recordCancel,
  refundPayment,
  refundReview,
  runDue,
  startCheckout,
  verifyPayment,
  watchPayment,
} from "@tillkit/core";
import type { KillableProcess } from "../killable-process.ts";

/** Everything that reaches one of our processes from outside. */
export type SimulatedApp = {
  start(order: Order): Promise<CheckoutStart>;
  receive(webhook: IncomingWebhook): Promise<{ readonly status: number }>;
  /** The shopper comes back from the hosted page, waits on ours, or pressed cancel. */
  returnFromPayment(paymentId: string): Promise<unknown>;
  watch(paymentId: string): Promise<unknown>;
  cancel(paymentId: string): Promise<unknown>;
  /** A platform that holds its own lock asks whether a payment arrived. */
  verify(paymentId: string): ReturnType<typeof verifyPayment>;
  accept(paymentId: string): Promise<unknown>;
  refundReview(paymentId: string): Promise<unknown>;
  refund(wish: RefundRequest): Promise<Refund>;
  /** One round of what is due. */
  runDue(): Promise<unknown>;
};

/** The engine as it ships. */
export function createApp(engine: Engine): SimulatedApp {
  return {
    start: (order) => startCheckout(engine, order),
    receive: (webhook) => receiveWebhook(engine, webhook),
    returnFromPayment: (paymentId) => confirmForShopper(engine, paymentId),
    watch: (paymentId) => watchPayment(engine, paymentId),
    cancel: (paymentId) => recordCancel(engine, paymentId),
    verify: (paymentId) => verifyPayment(engine, paymentId),
    accept: (paymentId) => acceptReview(engine, { paymentId, by: "owner" }),
    refundReview: (paymentId) => refundReview(engine, { paymentId, by: "owner" }),
    refund: (wish) => refundPayment(engine, wish),
    runDue: () => runDue(engine),
  };
}
/** One process of ours: a till whose every way out can be cut. What it kept in memory is gone when it dies. */

export type SimulatedProcess = {
  readonly app: SimulatedApp;
  readonly engine: Engine;
  readonly handle: KillableProcess;
  /** Its own clock, which may be off. */
  readonly now: () => number;
};
