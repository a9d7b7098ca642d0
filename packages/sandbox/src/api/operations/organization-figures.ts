import { sql } from "kysely";
import type { Owner } from "../../organizations/owner.ts";
import type { SandboxDatabase } from "../../storage/open-store.ts";
import { paymentsPerYear } from "../../subscriptions/billing-dates.ts";

export type Figures = {
  total_revenue: number;
  total_transactions: number;
  total_customers: number;
  /** Monthly recurring revenue of active subscriptions. */
  mrr: number;
  /** Annual recurring revenue of active subscriptions. */
  arr: number;
  /** Revenue per customer. */
  merchant_lifetime_value: number;
};

/** The revenue figures of a merchant in one environment, in the default currency of the merchant. */
export async function computeFigures(
  database: SandboxDatabase,
  { organization, environment }: Owner,
): Promise<Figures> {
  const { organization_id, default_currency } = organization;
  const earned = await database
    .selectFrom("transactions")
    // total() returns a float for large sums, where sum() fails.
    .select([sql<number>`total(gross_amount - refunded_amount)`.as("revenue"), sql<number>`count(*)`.as("count")])
    .where("organization_id", "=", organization_id)
    .where("environment", "=", environment)
    .where("currency_code", "=", default_currency)
    .where("status", "in", ["completed", "refunded"])
    .executeTakeFirstOrThrow();
  const customers = await database
    .selectFrom("customers")
    .select((builder) => builder.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organization_id)
    .where("environment", "=", environment)
    .executeTakeFirstOrThrow();
  const arr = await annualRecurringRevenue(database, organization_id, environment, default_currency);
  return {
    total_revenue: earned.revenue,
    total_transactions: earned.count,
    total_customers: customers.count,
    mrr: Math.round(arr / 12),
    arr,
    merchant_lifetime_value: customers.count === 0 ? 0 : Math.round(earned.revenue / customers.count),
  };
}

async function annualRecurringRevenue(
  database: SandboxDatabase,
  organizationId: string,
  environment: Owner["environment"],
  currency: Owner["organization"]["default_currency"],
): Promise<number> {
  const subscriptions = await database
    .selectFrom("subscriptions")
    .select(["billing_interval", sql<number>`total(amount)`.as("amount")])
    .where("organization_id", "=", organizationId)
    .where("environment", "=", environment)
    .where("status", "=", "active")
    .where("currency_code", "=", currency)
    .groupBy("billing_interval")
    .execute();
  return subscriptions.reduce((sum, row) => sum + row.amount * paymentsPerYear[row.billing_interval], 0);
}
