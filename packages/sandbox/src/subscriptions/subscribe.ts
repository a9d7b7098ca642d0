import { attachCustomer } from "../customers/attach-customer.ts";
import { findCustomer } from "../customers/read-customers.ts";
import { notFound } from "../domain/api-error.ts";
import { isoDate } from "../domain/clock.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SubscriptionRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { CustomerRow } from "../storage/payment-tables.ts";
import { nextBillingDate } from "./billing-dates.ts";
import { scheduleEnd } from "./end-subscription.ts";
import { emitSubscriptionEvent } from "./subscription-updates.ts";

type SubscriptionInput = Pick<
  SubscriptionRow,
  "environment" | "status" | "amount" | "currency_code" | "plan_name" | "billing_interval"
> &
  Partial<
    Record<
      "customer_id" | "organization_id" | "product_id" | "price_id" | "start_date" | "end_date" | "next_billing_date",
      string | undefined
    >
  > & { metadata: Record<string, unknown> };
type Subscriber = Pick<CustomerRow, "customer_id" | "organization_id" | "environment">;

/**
 * Creates a subscription with SUBSCRIPTION_CREATED. The sandbox has no catalogue, so product and price are the ids of the
 * input or new ids. A subscription with an `end_date` expires on that day.
 * @throws ApiError `not_found` (customer, organization)
 */
export async function subscribe(context: WriteContext, input: SubscriptionInput): Promise<SubscriptionRow> {
  const { ids } = context.service;
  const { customer_id, organization_id, environment } = await findSubscriber(context, input);
  const start_date = input.start_date ?? isoDate(context.now);
  const { status, amount, currency_code, plan_name, billing_interval } = input;
  const row: SubscriptionRow = {
    subscription_id: ids.uuid(),
    customer_id,
    organization_id,
    environment,
    status,
    amount,
    currency_code,
    plan_name,
    billing_interval,
    product_id: input.product_id ?? ids.uuid(),
    price_id: input.price_id ?? ids.uuid(),
    start_date,
    end_date: input.end_date ?? null,
    next_billing_date: input.next_billing_date ?? nextBillingDate(start_date, billing_interval),
    cancel_at_period_end: 0,
    metadata_json: JSON.stringify(input.metadata),
    created_at: context.now,
    updated_at: context.now,
  };
  await context.database.insertInto("subscriptions").values(row).execute();
  await emitSubscriptionEvent(context, "SUBSCRIPTION_CREATED", row);
  scheduleEnd(context, row);
  return row;
}

/** The customer in the input, or a test shopper of the merchant. */
async function findSubscriber(context: WriteContext, input: SubscriptionInput): Promise<Subscriber> {
  if (input.customer_id !== undefined) {
    return findCustomer(context.database, input.customer_id);
  }
  const ownerColumns = {
    organization_id: await readMerchantId(context.database, input),
    environment: input.environment,
  };
  const payer = { name: "Test Shopper", email: "shopper@example.test", phone: null, address: {} };
  return { ...ownerColumns, customer_id: await attachCustomer(context, { ...ownerColumns, customer_id: null }, payer) };
}

/** The merchant in the input, or the first merchant. */
async function readMerchantId(database: SandboxDatabase, { organization_id }: SubscriptionInput): Promise<string> {
  const found = await database
    .selectFrom("organizations")
    .select("organization_id")
    .$if(organization_id !== undefined, (builder) => builder.where("organization_id", "=", organization_id ?? ""))
    .orderBy("created_at")
    .executeTakeFirst();
  if (found === undefined) throw notFound("Organization");
  return found.organization_id;
}
