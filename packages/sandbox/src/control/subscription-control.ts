import type { RunWrite } from "../runtime/run-write.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SubscriptionRow } from "../storage/money-tables.ts";
import { changePlan, pauseSubscription, resumeSubscription } from "../subscriptions/change-subscription.ts";
import { cancelSubscription, expireSubscription } from "../subscriptions/end-subscription.ts";
import { renewSubscription } from "../subscriptions/renew-subscription.ts";
import { subscribe } from "../subscriptions/subscribe.ts";
import { readSubscription, subscriptionJson } from "../subscriptions/subscriptions.ts";
import { type MoneyRequest, moneyRequestSchemas } from "./money-requests.ts";
import { parseRequest } from "./parse-request.ts";

type Json = Record<string, unknown>;

/** What merchants and customers do to subscriptions, and their renewal and expiry. Each call returns the subscription. */
export type SubscriptionControl = {
  createSubscription(input?: MoneyRequest<"newSubscription">): Promise<Json>;
  /** Changes price, plan name or interval. An input that changes nothing emits no event. */
  changeSubscription(subscriptionId: string, input: MoneyRequest<"planChange">): Promise<Json>;
  pauseSubscription(subscriptionId: string, input?: MoneyRequest<"sourceOnly">): Promise<Json>;
  resumeSubscription(subscriptionId: string, input?: MoneyRequest<"sourceOnly">): Promise<Json>;
  /** Starts the next period. The outcome `failed` makes the subscription past due. */
  renewSubscription(subscriptionId: string, input?: MoneyRequest<"renewal">): Promise<Json>;
  cancelSubscription(subscriptionId: string, input?: MoneyRequest<"cancellation">): Promise<Json>;
  /** Ends the subscription as its end date does: status `expired`, event SUBSCRIPTION_CANCELLED. */
  expireSubscription(subscriptionId: string): Promise<Json>;
};

export function subscriptionControl(run: RunWrite): SubscriptionControl {
  const change = async (id: string, work: (context: WriteContext, row: SubscriptionRow) => Promise<SubscriptionRow>) =>
    subscriptionJson(await run(async (context) => work(context, await readSubscription(context.database, id))));
  return {
    createSubscription: async (input = {}) => {
      const parsed = parseRequest(moneyRequestSchemas.newSubscription, input);
      return subscriptionJson(await run((context) => subscribe(context, parsed)));
    },
    changeSubscription: async (id, input) => {
      const { source, ...plan } = parseRequest(moneyRequestSchemas.planChange, input);
      return change(id, (context, row) => changePlan(context, row, plan, source));
    },
    pauseSubscription: async (id, input = {}) => {
      const { source } = parseRequest(moneyRequestSchemas.sourceOnly, input);
      return change(id, (context, row) => pauseSubscription(context, row, source));
    },
    resumeSubscription: async (id, input = {}) => {
      const { source } = parseRequest(moneyRequestSchemas.sourceOnly, input);
      return change(id, (context, row) => resumeSubscription(context, row, source));
    },
    renewSubscription: async (id, input = {}) => {
      const { outcome } = parseRequest(moneyRequestSchemas.renewal, input);
      return change(id, (context, row) => renewSubscription(context, row, outcome));
    },
    cancelSubscription: async (id, input = {}) => {
      const { at_period_end: atPeriodEnd, source } = parseRequest(moneyRequestSchemas.cancellation, input);
      return change(id, (context, row) => cancelSubscription(context, row, { atPeriodEnd, source }));
    },
    expireSubscription: (id) => change(id, expireSubscription),
  };
}
