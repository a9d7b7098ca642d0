import { booleanField, type JsonObject, type OpenEnum, objectField, stringField, timeField } from "./json-fields.ts";
import { unwrapObject } from "./unwrap.ts";

/** A customer as an answer showed it; undefined = not said. */
export type Customer = {
  readonly id: string;
  /** `cus_…` */
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
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
};

export function readCustomer(answer: unknown): Customer | null {
  const found = unwrapObject(answer, ["customer_id"]);
  const id = found && stringField(found, "customer_id");
  if (!found || !id) return null;
  return {
    id,
    publicId: stringField(found, "public_id"),
    name: stringField(found, "name"),
    email: stringField(found, "email"),
    phoneNumber: stringField(found, "phone_number"),
    whatsappNumber: stringField(found, "whatsapp_number"),
    country: stringField(found, "country"),
    city: stringField(found, "city"),
    address: stringField(found, "address"),
    postalCode: stringField(found, "postal_code"),
    isBusiness: booleanField(found, "is_business"),
    metadata: objectField(found, "metadata"),
    environment: stringField(found, "environment"),
    createdAt: timeField(found, "created_at"),
    updatedAt: timeField(found, "updated_at"),
  };
}
