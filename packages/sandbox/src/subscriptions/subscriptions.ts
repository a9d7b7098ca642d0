import { creditPayment } from "../balances/balances.ts";
import { feeOf } from "../payments/fees.ts";
import { codesOf, failureMessages } from "../payments/methods.ts";
import { belongsTo, type Owner } from "../payments/sessions.ts";
import { insertTransaction } from "../payments/transactions.ts";
import { iso } from "../service/clock.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import type { SubscriptionRow } from "../storage/money-tables.ts";
import type { Rows } from "../storage/open-store.ts";
import type { TransactionRow } from "../storage/tables.ts";
import { emitEvent, emitPaymentEvent } from "../webhooks/events.ts";
import { nextDate } from "./billing-dates.ts";

type NewSubscription = Omit<SubscriptionRow, "subscription_id" | "created_at" | "updated_at">;
type Step = Partial<Pick<SubscriptionRow, "status" | "end_date" | "next_billing_date" | "cancel_at_period_end">>;
type Source = "merchant_api" | "customer_portal" | "cron";

/** SUBSCRIPTION_CREATED. */
export async function createSubscription(change: Change, given: NewSubscription): Promise<SubscriptionRow> {
  const row: SubscriptionRow = {
    ...given,
    subscription_id: change.service.ids.uuid(),
    created_at: change.now,
    updated_at: change.now,
  };
  await change.rows.insertInto("subscriptions").values(row).execute();
  await emitSubscriptionEvent(change, "SUBSCRIPTION_CREATED", row);
  return row;
}

/** active → paused, with SUBSCRIPTION_UPDATED. @throws Refusal `conflict` */
export function pauseSubscription(change: Change, subscription: SubscriptionRow): Promise<SubscriptionRow> {
  refuseUnless(subscription, ["active", "trial", "past_due"], "paused");
  return update(change, subscription, { status: "paused" }, "merchant_api");
}

/** paused → active, with SUBSCRIPTION_UPDATED. @throws Refusal `conflict` */
export function resumeSubscription(change: Change, subscription: SubscriptionRow): Promise<SubscriptionRow> {
  refuseUnless(subscription, ["paused"], "active");
  return update(change, subscription, { status: "active" }, "merchant_api");
}

/**
 * Ends at once with SUBSCRIPTION_CANCELLED, or with the period that is paid for: then SUBSCRIPTION_UPDATED says so.
 * @throws Refusal `conflict`
 */
export function cancelSubscription(
  change: Change,
  subscription: SubscriptionRow,
  atPeriodEnd = false,
): Promise<SubscriptionRow> {
  refuseUnless(subscription, livingStates, "cancelled");
  if (atPeriodEnd) return update(change, subscription, { cancel_at_period_end: 1 }, "merchant_api");
  return end(change, subscription);
}

/**
 * The period is over: the next one is paid (SUBSCRIPTION_RENEWED) or not (PAYMENT_FAILED, and the subscription is past
 * due); one whose end was scheduled is cancelled.
 * @throws Refusal `conflict`
 */
export async function renewSubscription(
  change: Change,
  subscription: SubscriptionRow,
  outcome: "completed" | "failed",
): Promise<SubscriptionRow> {
  refuseUnless(subscription, ["active", "trial", "past_due"], "renewed");
  if (subscription.cancel_at_period_end === 1) return end(change, subscription);
  const paid = await pay(change, subscription, outcome);
  if (paid.status === "failed") {
    await emitPaymentEvent(change, "PAYMENT_FAILED", paid);
    return subscription.status === "past_due"
      ? subscription
      : update(change, subscription, { status: "past_due" }, "cron");
  }
  await creditPayment(change, paid);
  const { next_billing_date, start_date, billing_interval } = subscription;
  const renewed = await move(change, subscription, {
    status: "active",
    next_billing_date: nextDate(next_billing_date ?? start_date, billing_interval),
  });
  await emitSubscriptionEvent(change, "SUBSCRIPTION_RENEWED", renewed);
  return renewed;
}

/** @throws Refusal `not_found`, also for the subscription of another merchant or environment */
export async function readSubscription(rows: Rows, subscriptionId: string, owner?: Owner): Promise<SubscriptionRow> {
  const row = await rows
    .selectFrom("subscriptions")
    .selectAll()
    .where("subscription_id", "=", subscriptionId.toLowerCase())
    .executeTakeFirst();
  if (row === undefined || (owner !== undefined && !belongsTo(row, owner))) throw notFound("Subscription");
  return row;
}

/** The subscription as events carry it. */
export function subscriptionJson(row: SubscriptionRow): Record<string, unknown> {
  return {
    subscription_id: row.subscription_id,
    organization_id: row.organization_id,
    customer_id: row.customer_id,
    product_id: row.product_id,
    price_id: row.price_id,
    status: row.status,
    start_date: row.start_date,
    end_date: row.end_date,
    next_billing_date: row.next_billing_date,
    plan_name: row.plan_name,
    billing_interval: row.billing_interval,
    cancel_at_period_end: row.cancel_at_period_end === 1,
    metadata: JSON.parse(row.metadata_json),
    environment: row.environment,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

/** What may still be ended. */
export const livingStates: readonly SubscriptionRow["status"][] = ["pending", "active", "past_due", "trial", "paused"];

async function end(change: Change, subscription: SubscriptionRow): Promise<SubscriptionRow> {
  const ended = await move(change, subscription, {
    status: "cancelled",
    end_date: iso(change.now).slice(0, 10),
    next_billing_date: null,
    cancel_at_period_end: 0,
  });
  await emitSubscriptionEvent(change, "SUBSCRIPTION_CANCELLED", ended);
  return ended;
}

/** Any change after which the subscription goes on: SUBSCRIPTION_UPDATED says what it was before. */
async function update(
  change: Change,
  subscription: SubscriptionRow,
  step: Step,
  source: Source,
): Promise<SubscriptionRow> {
  const updated = await move(change, subscription, step);
  const object = subscriptionJson(updated);
  const before = subscriptionJson(subscription);
  const changed = Object.keys(step).filter((name) => object[name] !== before[name]);
  await emitEvent(change, "SUBSCRIPTION_UPDATED", subjectOf(updated), {
    object,
    previous_attributes: Object.fromEntries(changed.map((name) => [name, before[name]])),
    context: { source, actor: source === "merchant_api" ? "merchant" : "system" },
  });
  return updated;
}

async function move(change: Change, subscription: SubscriptionRow, step: Step): Promise<SubscriptionRow> {
  const next = { ...subscription, ...step, updated_at: change.now };
  await change.rows
    .updateTable("subscriptions")
    .set(next)
    .where("subscription_id", "=", subscription.subscription_id)
    .execute();
  return next;
}

/** A renewal is no one-time payment: its success is told by SUBSCRIPTION_RENEWED alone. */
function pay(change: Change, subscription: SubscriptionRow, outcome: "completed" | "failed"): Promise<TransactionRow> {
  const { amount, plan_name, subscription_id, customer_id, organization_id, environment } = subscription;
  const fee = outcome === "completed" ? feeOf(amount, change.service.settings.feeBps) : 0;
  return insertTransaction(change, {
    organization_id,
    environment,
    membership_id: null,
    account: null,
    customer_id,
    subscription_id,
    status: outcome,
    ...codesOf.card,
    description: plan_name,
    gross_amount: amount,
    fee_amount: fee,
    net_amount: outcome === "completed" ? amount - fee : 0,
    currency_code: subscription.currency_code,
    metadata_json: subscription.metadata_json,
    ...(outcome === "failed" ? { failure_code: "card_declined", failure_message: failureMessages.card_declined } : {}),
  });
}

function emitSubscriptionEvent(
  change: Change,
  event: "SUBSCRIPTION_CREATED" | "SUBSCRIPTION_RENEWED" | "SUBSCRIPTION_CANCELLED",
  subscription: SubscriptionRow,
): Promise<void> {
  return emitEvent(change, event, subjectOf(subscription), subscriptionJson(subscription));
}

function subjectOf({ organization_id, environment }: SubscriptionRow) {
  const none = { session_id: null, transaction_id: null, membership_id: null, account: null };
  return { organization_id, environment, ...none };
}

function refuseUnless(subscription: SubscriptionRow, from: readonly SubscriptionRow["status"][], to: string): void {
  if (from.includes(subscription.status)) return;
  throw new Refusal("conflict", `A subscription that is ${subscription.status} cannot be ${to}`);
}
