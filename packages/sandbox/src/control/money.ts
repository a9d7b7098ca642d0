import { cardChargeJson } from "../charges/card-charges.ts";
import { confirmCard } from "../charges/confirm-card.ts";
import { closeDispute, disputeJson, openDispute, updateDispute } from "../disputes/disputes.ts";
import { endPayout, payoutJson } from "../payouts/payouts.ts";
import { completeRefund, failRefund, readRefund, refundJson } from "../refunds/refunds.ts";
import { type Change, changeState, type Service } from "../service/service.ts";
import type { RefundRow, SubscriptionRow } from "../storage/money-tables.ts";
import {
  cancelSubscription,
  pauseSubscription,
  readSubscription,
  renewSubscription,
  resumeSubscription,
  subscriptionJson,
} from "../subscriptions/subscriptions.ts";
import { type MoneyWish, moneyWishes } from "./money-wishes.ts";
import { readWish } from "./network-wishes.ts";
import { subscribe } from "./subscribe.ts";

type Json = Record<string, unknown>;

/** What providers, banks and time do to money; each call answers what it changed. */
export type MoneyControl = {
  /** What the browser does with a client secret; `number` is a test card of the hosted page. */
  confirmCardCharge(chargeId: string, card: { number: string }): Promise<Json>;
  completeRefund(refundId: string): Promise<Json>;
  failRefund(refundId: string): Promise<Json>;
  completePayout(payoutId: string): Promise<Json>;
  /** The money comes back to the balance. */
  failPayout(payoutId: string): Promise<Json>;
  createSubscription(wish?: MoneyWish<"newSubscription">): Promise<Json>;
  pauseSubscription(subscriptionId: string): Promise<Json>;
  resumeSubscription(subscriptionId: string): Promise<Json>;
  /** The next period: paid, or not with the outcome `failed`. */
  renewSubscription(subscriptionId: string, wish?: MoneyWish<"renewal">): Promise<Json>;
  cancelSubscription(subscriptionId: string, wish?: MoneyWish<"cancellation">): Promise<Json>;
  /** Of a card payment. */
  createDispute(wish: MoneyWish<"newDispute">): Promise<Json>;
  updateDispute(disputeId: string, wish: MoneyWish<"dispute">): Promise<Json>;
  closeDispute(disputeId: string, wish: MoneyWish<"verdict">): Promise<Json>;
};

export function moneyControl(service: Service): MoneyControl {
  const change = async <Row>(work: (change: Change) => Promise<Row>): Promise<Row> => {
    await service.timetable.catchUp();
    return changeState(service, work);
  };
  return {
    confirmCardCharge: async (chargeId, card) =>
      cardChargeJson(await change((now) => confirmCard(now, chargeId, card.number))),
    ...refundsAndPayouts(change),
    ...subscriptions(change),
    createDispute: async (wish) => {
      const terms = readWish(moneyWishes.newDispute, wish);
      return disputeJson(await change((now) => openDispute(now, terms)));
    },
    updateDispute: async (disputeId, wish) => {
      const terms = readWish(moneyWishes.dispute, wish);
      return disputeJson(await change((now) => updateDispute(now, disputeId, terms)));
    },
    closeDispute: async (disputeId, wish) => {
      const { outcome } = readWish(moneyWishes.verdict, wish);
      return disputeJson(await change((now) => closeDispute(now, disputeId, outcome)));
    },
  };
}

type Run = <Row>(work: (change: Change) => Promise<Row>) => Promise<Row>;

function refundsAndPayouts(
  run: Run,
): Pick<MoneyControl, "completeRefund" | "failRefund" | "completePayout" | "failPayout"> {
  const refund = async (refundId: string, move: (change: Change, refund: RefundRow) => Promise<RefundRow>) =>
    refundJson(await run(async (change) => move(change, await readRefund(change.rows, refundId))));
  return {
    completeRefund: (refundId) => refund(refundId, completeRefund),
    failRefund: (refundId) => refund(refundId, failRefund),
    completePayout: async (payoutId) => payoutJson(await run((change) => endPayout(change, payoutId, "completed"))),
    failPayout: async (payoutId) => payoutJson(await run((change) => endPayout(change, payoutId, "failed"))),
  };
}

type Subscriptions = Pick<
  MoneyControl,
  "createSubscription" | "pauseSubscription" | "resumeSubscription" | "renewSubscription" | "cancelSubscription"
>;

function subscriptions(run: Run): Subscriptions {
  const move = async (id: string, work: (change: Change, row: SubscriptionRow) => Promise<SubscriptionRow>) =>
    subscriptionJson(await run(async (change) => work(change, await readSubscription(change.rows, id))));
  return {
    createSubscription: async (wish = {}) => {
      const terms = readWish(moneyWishes.newSubscription, wish);
      return subscriptionJson(await run((change) => subscribe(change, terms)));
    },
    pauseSubscription: (id) => move(id, pauseSubscription),
    resumeSubscription: (id) => move(id, resumeSubscription),
    renewSubscription: (id, wish = {}) => {
      const { outcome } = readWish(moneyWishes.renewal, wish);
      return move(id, (change, row) => renewSubscription(change, row, outcome));
    },
    cancelSubscription: (id, wish = {}) => {
      const { at_period_end } = readWish(moneyWishes.cancellation, wish);
      return move(id, (change, row) => cancelSubscription(change, row, at_period_end));
    },
  };
}
