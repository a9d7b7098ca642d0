import type { z } from "zod";
import { attachCustomer } from "../payments/customers.ts";
import { iso } from "../service/clock.ts";
import { notFound } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import type { SubscriptionRow } from "../storage/money-tables.ts";
import type { Rows } from "../storage/open-store.ts";
import type { CustomerRow } from "../storage/tables.ts";
import { nextDate } from "../subscriptions/billing-dates.ts";
import { createSubscription } from "../subscriptions/subscriptions.ts";
import type { moneyWishes } from "./money-wishes.ts";

type Wish = z.output<typeof moneyWishes.newSubscription>;
type Subscriber = Pick<CustomerRow, "customer_id" | "organization_id" | "environment">;

/** There is no catalogue here: product and price are ids that the wish names, or new ones. */
export async function subscribe(change: Change, wish: Wish): Promise<SubscriptionRow> {
  const { ids } = change.service;
  const { customer_id, organization_id, environment } = await subscriberOf(change, wish);
  const start_date = wish.start_date ?? iso(change.now).slice(0, 10);
  const { status, amount, currency_code, plan_name, billing_interval } = wish;
  return createSubscription(change, {
    ...{ customer_id, organization_id, environment, status, amount, currency_code, plan_name, billing_interval },
    product_id: wish.product_id ?? ids.uuid(),
    price_id: wish.price_id ?? ids.uuid(),
    start_date,
    end_date: null,
    next_billing_date: wish.next_billing_date ?? nextDate(start_date, billing_interval),
    cancel_at_period_end: 0,
    metadata_json: JSON.stringify(wish.metadata),
  });
}

async function subscriberOf(change: Change, wish: Wish): Promise<Subscriber> {
  if (wish.customer_id !== undefined) {
    const customer = await change.rows
      .selectFrom("customers")
      .select(["customer_id", "organization_id", "environment"])
      .where("customer_id", "=", wish.customer_id)
      .executeTakeFirst();
    if (customer === undefined) throw notFound("Customer");
    return customer;
  }
  const purse = { organization_id: await merchantOf(change.rows, wish), environment: wish.environment };
  const payer = { name: "Test Shopper", email: "shopper@example.test", phone: null, address: {} };
  return { ...purse, customer_id: await attachCustomer(change, { ...purse, customer_id: null }, payer) };
}

async function merchantOf(rows: Rows, { organization_id }: Wish): Promise<string> {
  const found = await rows
    .selectFrom("organizations")
    .select("organization_id")
    .$if(organization_id !== undefined, (of) => of.where("organization_id", "=", organization_id ?? ""))
    .orderBy("created_at")
    .executeTakeFirst();
  if (found === undefined) throw notFound("Organization");
  return found.organization_id;
}
