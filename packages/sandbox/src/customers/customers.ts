import type { customerRequestSchema, customerUpdateSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { delegationColumns, networkMetadata, type Owner } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { CustomerRow } from "../storage/payment-tables.ts";

type CustomerRequest = z.output<typeof customerRequestSchema>;
type CustomerUpdate = z.output<typeof customerUpdateSchema>;

const addressFields = ["address", "city", "postal_code", "country"] as const;
export type Address = Partial<Record<(typeof addressFields)[number], string>>;

type NewCustomer = Pick<
  CustomerRow,
  "organization_id" | "environment" | "membership_id" | "account" | "name" | "email" | "phone_number"
> &
  Partial<Pick<CustomerRow, "whatsapp_number" | "is_business" | "metadata_json">> & { address: Address };

/** POST /customers, after its body was validated. */
export function createCustomer(context: WriteContext, owner: Owner, request: CustomerRequest): Promise<CustomerRow> {
  const { name, email, phone_number, whatsapp_number, is_business, metadata } = request;
  return insertCustomer(context, {
    organization_id: owner.organization.organization_id,
    environment: owner.environment,
    ...delegationColumns(owner),
    name,
    email: email ?? null,
    phone_number: phone_number ?? null,
    whatsapp_number: whatsapp_number ?? null,
    is_business: is_business === undefined ? null : Number(is_business),
    metadata_json:
      metadata === undefined && owner.delegation === undefined
        ? null
        : JSON.stringify({ ...metadata, ...networkMetadata(owner) }),
    address: pickAddress(request),
  });
}

export async function insertCustomer(context: WriteContext, { address, ...given }: NewCustomer): Promise<CustomerRow> {
  const row: CustomerRow = {
    customer_id: context.service.ids.uuid(),
    public_id: context.service.ids.prefixed("cus"),
    whatsapp_number: null,
    is_business: null,
    metadata_json: null,
    ...given,
    address_json: JSON.stringify(address),
    search_text: searchText(given),
    created_at: context.now,
    updated_at: context.now,
  };
  await context.database.insertInto("customers").values(row).execute();
  return row;
}

/** PATCH /customers/{id}: omitted fields keep their values. */
export async function updateCustomer(
  context: WriteContext,
  customer: CustomerRow,
  update: CustomerUpdate,
): Promise<CustomerRow> {
  const contactFields = {
    name: update.name ?? customer.name,
    email: update.email ?? customer.email,
    phone_number: update.phone_number ?? customer.phone_number,
    whatsapp_number: update.whatsapp_number ?? customer.whatsapp_number,
  };
  const next: CustomerRow = {
    ...customer,
    ...contactFields,
    is_business: update.is_business === undefined ? customer.is_business : Number(update.is_business),
    metadata_json:
      update.metadata === undefined
        ? customer.metadata_json
        : JSON.stringify({ ...update.metadata, ...networkMetadataOf(customer) }),
    address_json: JSON.stringify({ ...JSON.parse(customer.address_json), ...pickAddress(update) }),
    search_text: searchText(contactFields),
    updated_at: context.now,
  };
  await context.database.updateTable("customers").set(next).where("customer_id", "=", customer.customer_id).execute();
  return next;
}

/** Merchants cannot change the `network` part of the metadata. */
function networkMetadataOf({ membership_id, metadata_json }: CustomerRow): Record<string, unknown> {
  return membership_id === null ? {} : { network: JSON.parse(metadata_json ?? "{}").network };
}

function pickAddress(request: CustomerUpdate): Address {
  const address: Address = {};
  for (const field of addressFields) {
    const value = request[field];
    if (value !== undefined) address[field] = value;
  }
  return address;
}

/** Name and e-mail in lower case, for the search. SQLite's lower() handles A to Z only. */
function searchText({ name, email }: Pick<CustomerRow, "name" | "email">): string {
  return `${name ?? ""}\n${email ?? ""}`.toLowerCase();
}
