import { flag, instant, type Known, type Row, row, text } from "./fields.ts";
import { unwrapOne } from "./unwrap.ts";

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
  readonly metadata?: Row | undefined;
  readonly environment?: Known<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
};

export function readCustomer(answer: unknown): Customer | null {
  const found = unwrapOne(answer, ["customer_id"]);
  const id = found && text(found, "customer_id");
  if (!found || !id) return null;
  return {
    id,
    publicId: text(found, "public_id"),
    name: text(found, "name"),
    email: text(found, "email"),
    phoneNumber: text(found, "phone_number"),
    whatsappNumber: text(found, "whatsapp_number"),
    country: text(found, "country"),
    city: text(found, "city"),
    address: text(found, "address"),
    postalCode: text(found, "postal_code"),
    isBusiness: flag(found, "is_business"),
    metadata: row(found, "metadata"),
    environment: text(found, "environment"),
    createdAt: instant(found, "created_at"),
    updatedAt: instant(found, "updated_at"),
  };
}
