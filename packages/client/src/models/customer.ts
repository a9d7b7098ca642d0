import {
  booleanField,
  enumField,
  type JsonObject,
  type OpenEnum,
  objectField,
  stringField,
  timeField,
  unwrapObject,
} from "./json-fields.ts";

/** A customer as the service returned it. Fields missing from the response are undefined. */
export type Customer = {
  /** A UUID. Webhooks, transactions and paths of the API use it. */
  readonly id: string;
  /** `cus_…`: the service's short ID of the same customer, for people. */
  readonly publicId?: string | undefined;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly whatsappNumber?: string | undefined;
  readonly country?: string | undefined;
  readonly city?: string | undefined;
  readonly address?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly isBusiness?: boolean | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  /** In milliseconds since 1970. */
  readonly createdAt?: number | undefined;
  /** In milliseconds since 1970. */
  readonly updatedAt?: number | undefined;
};

export function parseCustomer(response: unknown): Customer | null {
  const fields = unwrapObject(response, ["customer_id"]);
  const id = fields && stringField(fields, "customer_id");
  if (!fields || !id) return null;
  return {
    id,
    publicId: stringField(fields, "public_id"),
    name: stringField(fields, "name"),
    email: stringField(fields, "email"),
    phoneNumber: stringField(fields, "phone_number"),
    whatsappNumber: stringField(fields, "whatsapp_number"),
    country: stringField(fields, "country"),
    city: stringField(fields, "city"),
    address: stringField(fields, "address"),
    postalCode: stringField(fields, "postal_code"),
    isBusiness: booleanField(fields, "is_business"),
    metadata: objectField(fields, "metadata"),
    environment: enumField(fields, "environment"),
    createdAt: timeField(fields, "created_at"),
    updatedAt: timeField(fields, "updated_at"),
  };
}
