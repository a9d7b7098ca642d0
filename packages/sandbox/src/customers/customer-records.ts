import type { customerRequestSchema, customerUpdateSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { delegatedBy, networkMetadata } from "../network/delegation.ts";
import type { Owner } from "../payments/sessions.ts";
import { iso } from "../service/clock.ts";
import { notFound } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import type { Rows } from "../storage/open-store.ts";
import type { CustomerRow } from "../storage/tables.ts";

type CustomerRequest = z.output<typeof customerRequestSchema>;
type CustomerUpdate = z.output<typeof customerUpdateSchema>;

const addressFields = ["address", "city", "postal_code", "country"] as const;
type Address = Partial<Record<(typeof addressFields)[number], string>>;

type NewCustomer = Pick<
  CustomerRow,
  "organization_id" | "environment" | "membership_id" | "account" | "name" | "email" | "phone_number"
> &
  Partial<Pick<CustomerRow, "whatsapp_number" | "is_business" | "metadata_json">> & { address: Address };

/** POST /customers, after its body was validated. */
export function createCustomer(change: Change, owner: Owner, request: CustomerRequest): Promise<CustomerRow> {
  const { name, email, phone_number, whatsapp_number, is_business, metadata } = request;
  return insertCustomer(change, {
    organization_id: owner.organization.organization_id,
    environment: owner.environment,
    ...delegatedBy(owner),
    name,
    email: email ?? null,
    phone_number: phone_number ?? null,
    whatsapp_number: whatsapp_number ?? null,
    is_business: is_business === undefined ? null : Number(is_business),
    metadata_json:
      metadata === undefined && owner.delegation === undefined
        ? null
        : JSON.stringify({ ...metadata, ...networkMetadata(owner) }),
    address: addressIn(request),
  });
}

export async function insertCustomer(change: Change, { address, ...given }: NewCustomer): Promise<CustomerRow> {
  const row: CustomerRow = {
    customer_id: change.service.ids.uuid(),
    public_id: change.service.ids.short("cus"),
    whatsapp_number: null,
    is_business: null,
    metadata_json: null,
    ...given,
    address_json: JSON.stringify(address),
    search_text: searchText(given),
    created_at: change.now,
    updated_at: change.now,
  };
  await change.rows.insertInto("customers").values(row).execute();
  return row;
}

/** PATCH /customers/{id}: what the request does not name stays. */
export async function updateCustomer(
  change: Change,
  customer: CustomerRow,
  update: CustomerUpdate,
): Promise<CustomerRow> {
  const named = {
    name: update.name ?? customer.name,
    email: update.email ?? customer.email,
    phone_number: update.phone_number ?? customer.phone_number,
    whatsapp_number: update.whatsapp_number ?? customer.whatsapp_number,
  };
  const next: CustomerRow = {
    ...customer,
    ...named,
    is_business: update.is_business === undefined ? customer.is_business : Number(update.is_business),
    metadata_json:
      update.metadata === undefined
        ? customer.metadata_json
        : JSON.stringify({ ...update.metadata, ...networkOf(customer) }),
    address_json: JSON.stringify({ ...JSON.parse(customer.address_json), ...addressIn(update) }),
    search_text: searchText(named),
    updated_at: change.now,
  };
  await change.rows.updateTable("customers").set(next).where("customer_id", "=", customer.customer_id).execute();
  return next;
}

/** @throws Refusal `not_found`, also for the customer of another merchant or environment */
export async function readCustomer(rows: Rows, customerId: string, owner: Owner): Promise<CustomerRow> {
  const row = await customersOf(rows, owner)
    .selectAll()
    .where("customer_id", "=", customerId.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) throw notFound("Customer");
  return row;
}

/** A merchant's customers. An Operator sees those that it created and those of its own delegated transactions. */
export function customersOf(rows: Rows, { organization, environment, delegation }: Owner) {
  const membershipId = delegation?.membershipId ?? null;
  return rows
    .selectFrom("customers")
    .where("organization_id", "=", organization.organization_id)
    .where("environment", "=", environment)
    .$if(membershipId !== null, (query) =>
      query.where((of) =>
        of.or([
          of("membership_id", "=", membershipId),
          of.exists(
            of
              .selectFrom("transactions")
              .select("transactions.seq")
              .where("transactions.membership_id", "=", membershipId)
              .whereRef("transactions.customer_id", "=", "customers.customer_id"),
          ),
        ]),
      ),
    );
}

/** The customer as the API shows it; `network` is among the metadata of one that an Operator created. */
export function customerJson(row: CustomerRow): Record<string, unknown> {
  const address: Address = JSON.parse(row.address_json);
  return {
    customer_id: row.customer_id,
    public_id: row.public_id,
    organization_id: row.organization_id,
    // The hosted page may be told not to ask for a name.
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
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

/** The Network's part of the metadata is no merchant's to change. */
function networkOf({ membership_id, metadata_json }: CustomerRow): Record<string, unknown> {
  return membership_id === null ? {} : { network: JSON.parse(metadata_json ?? "{}").network };
}

function addressIn(request: CustomerUpdate): Address {
  const given = addressFields.flatMap((field) => (request[field] === undefined ? [] : [[field, request[field]]]));
  return Object.fromEntries(given);
}

/** Small letters of every alphabet: SQLite's own lower() knows only A to Z. */
function searchText({ name, email }: Pick<CustomerRow, "name" | "email">): string {
  return `${name ?? ""}\n${email ?? ""}`.toLowerCase();
}
