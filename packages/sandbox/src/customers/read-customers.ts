import { notFound } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import type { Owner } from "../organizations/owner.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { CustomerRow } from "../storage/payment-tables.ts";
import type { Address } from "./customers.ts";

/** @throws ApiError `not_found`, also for the customer of another merchant or environment */
export async function readCustomer(database: SandboxDatabase, customerId: string, owner: Owner): Promise<CustomerRow> {
  const row = await customersVisibleTo(database, owner)
    .selectAll()
    .where("customer_id", "=", customerId.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) throw notFound("Customer");
  return row;
}

/** A customer of any merchant, by UUID or by `cus_…`. @throws ApiError `not_found` */
export async function findCustomer(database: SandboxDatabase, id: string): Promise<CustomerRow> {
  const customers = database.selectFrom("customers").selectAll();
  const row = id.startsWith("cus_")
    ? await customers.where("public_id", "=", id).executeTakeFirst()
    : await customers.where("customer_id", "=", id.toLowerCase()).executeTakeFirst();
  if (row === undefined) throw notFound("Customer");
  return row;
}

/** The customers of a merchant. An Operator sees customers that it created and customers of its own delegated transactions. */
export function customersVisibleTo(database: SandboxDatabase, { organization, environment, delegation }: Owner) {
  const membershipId = delegation?.membershipId ?? null;
  return database
    .selectFrom("customers")
    .where("organization_id", "=", organization.organization_id)
    .where("environment", "=", environment)
    .$if(membershipId !== null, (query) =>
      query.where((builder) =>
        builder.or([
          builder("membership_id", "=", membershipId),
          builder.exists(
            builder
              .selectFrom("transactions")
              .select("transactions.seq")
              .where("transactions.membership_id", "=", membershipId)
              .whereRef("transactions.customer_id", "=", "customers.customer_id"),
          ),
        ]),
      ),
    );
}

/** The customer as the API returns it. The metadata of a customer that an Operator created has a `network` object. */
export function customerJson(row: CustomerRow): Record<string, unknown> {
  const address: Address = JSON.parse(row.address_json);
  return {
    customer_id: row.customer_id,
    public_id: row.public_id,
    organization_id: row.organization_id,
    // The name is missing when the hosted page did not ask for it.
    name: row.name ?? row.email ?? row.phone_number ?? "",
    email: row.email,
    phone_number: row.phone_number,
    whatsapp_number: row.whatsapp_number,
    country: address.country || null,
    city: address.city || null,
    address: address.address || null,
    postal_code: address.postal_code || null,
    is_business: row.is_business === null ? null : row.is_business === 1,
    metadata: row.metadata_json === null ? null : JSON.parse(row.metadata_json),
    environment: row.environment,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
