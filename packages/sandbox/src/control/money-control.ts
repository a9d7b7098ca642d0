import { finishPayout, payoutJson } from "../balances/payouts.ts";
import { cardChargeJson } from "../charges/card-charge-json.ts";
import { confirmCard } from "../charges/confirm-card.ts";
import { closeDispute, disputeJson, openDispute, updateDispute } from "../reversals/disputes.ts";
import { refundJson } from "../reversals/refund-events.ts";
import { completeRefund, failRefund } from "../reversals/refund-outcomes.ts";
import { readRefund } from "../reversals/refunds.ts";
import { inDatabaseTransaction, type Service, type WriteContext } from "../runtime/service.ts";
import type { RefundRow, SubscriptionRow } from "../storage/money-tables.ts";
import { renewSubscription } from "../subscriptions/renew-subscription.ts";
import { subscribe } from "../subscriptions/subscribe.ts";
import {
  cancelSubscription,
  pauseSubscription,
  readSubscription,
  resumeSubscription,
  subscriptionJson,
} from "../subscriptions/subscriptions.ts";
import { type MoneyRequest, moneyRequestSchemas } from "./money-requests.ts";
import { parseRequest } from "./parse-request.ts";

type Json = Record<string, unknown>;

/** Actions of providers, banks and time on money. Each call returns the changed resource. */
export type MoneyControl = {
  /** Confirms a card charge as the browser does. `number` is a test card of the hosted page. */
  confirmCardCharge(chargeId: string, card: { number: string }): Promise<Json>;
  completeRefund(refundId: string): Promise<Json>;
  failRefund(refundId: string): Promise<Json>;
  completePayout(payoutId: string): Promise<Json>;
  /** Credits the payout back to the balance. */
  failPayout(payoutId: string): Promise<Json>;
  createSubscription(input?: MoneyRequest<"newSubscription">): Promise<Json>;
  pauseSubscription(subscriptionId: string): Promise<Json>;
  resumeSubscription(subscriptionId: string): Promise<Json>;
  /** Starts the next period. The outcome `failed` makes the subscription past due. */
  renewSubscription(subscriptionId: string, input?: MoneyRequest<"renewal">): Promise<Json>;
  cancelSubscription(subscriptionId: string, input?: MoneyRequest<"cancellation">): Promise<Json>;
  /** Opens a dispute of a card payment. */
  createDispute(input: MoneyRequest<"newDispute">): Promise<Json>;
  updateDispute(disputeId: string, input: MoneyRequest<"disputeUpdate">): Promise<Json>;
  closeDispute(disputeId: string, input: MoneyRequest<"disputeClosure">): Promise<Json>;
};

export function moneyControl(service: Service): MoneyControl {
  const run = async <Row>(work: (run: WriteContext) => Promise<Row>): Promise<Row> => {
    await service.paymentScheduler.runDue();
    return inDatabaseTransaction(service, work);
  };
  return {
    confirmCardCharge: async (chargeId, card) =>
      cardChargeJson(await run((now) => confirmCard(now, chargeId, card.number))),
    ...refundsAndPayouts(run),
    ...subscriptions(run),
    createDispute: async (input) => {
      const parsed = parseRequest(moneyRequestSchemas.newDispute, input);
      return disputeJson(await run((now) => openDispute(now, parsed)));
    },
    updateDispute: async (disputeId, input) => {
      const parsed = parseRequest(moneyRequestSchemas.disputeUpdate, input);
      return disputeJson(await run((now) => updateDispute(now, disputeId, parsed)));
    },
    closeDispute: async (disputeId, input) => {
      const { outcome } = parseRequest(moneyRequestSchemas.disputeClosure, input);
      return disputeJson(await run((now) => closeDispute(now, disputeId, outcome)));
    },
  };
}

type RunWrite = <Row>(work: (context: WriteContext) => Promise<Row>) => Promise<Row>;

function refundsAndPayouts(
  run: RunWrite,
): Pick<MoneyControl, "completeRefund" | "failRefund" | "completePayout" | "failPayout"> {
  const refund = async (refundId: string, move: (context: WriteContext, refund: RefundRow) => Promise<RefundRow>) =>
    refundJson(await run(async (context) => move(context, await readRefund(context.database, refundId))));
  return {
    completeRefund: (refundId) => refund(refundId, completeRefund),
    failRefund: (refundId) => refund(refundId, failRefund),
    completePayout: async (payoutId) =>
      payoutJson(await run((context) => finishPayout(context, payoutId, "completed"))),
    failPayout: async (payoutId) => payoutJson(await run((context) => finishPayout(context, payoutId, "failed"))),
  };
}

type Subscriptions = Pick<
  MoneyControl,
  "createSubscription" | "pauseSubscription" | "resumeSubscription" | "renewSubscription" | "cancelSubscription"
>;

function subscriptions(run: RunWrite): Subscriptions {
  const move = async (id: string, work: (context: WriteContext, row: SubscriptionRow) => Promise<SubscriptionRow>) =>
    subscriptionJson(await run(async (context) => work(context, await readSubscription(context.database, id))));
  return {
    createSubscription: async (input = {}) => {
      const parsed = parseRequest(moneyRequestSchemas.newSubscription, input);
      return subscriptionJson(await run((context) => subscribe(context, parsed)));
    },
    pauseSubscription: (id) => move(id, pauseSubscription),
    resumeSubscription: (id) => move(id, resumeSubscription),
    renewSubscription: (id, input = {}) => {
      const { outcome } = parseRequest(moneyRequestSchemas.renewal, input);
      return move(id, (context, row) => renewSubscription(context, row, outcome));
    },
    cancelSubscription: (id, input = {}) => {
      const { at_period_end } = parseRequest(moneyRequestSchemas.cancellation, input);
      return move(id, (context, row) => cancelSubscription(context, row, at_period_end));
    },
  };
}
