import { booleanField, type JsonObject, type OpenEnum, objectField, stringField, timeField } from "./json-fields.ts";
import { unwrapObject } from "./unwrap.ts";

export type Organization = {
  readonly id: string;
  readonly merchantId?: string | undefined;
  readonly name?: string | undefined;
  readonly status?: OpenEnum<"active" | "inactive" | "suspended"> | undefined;
  readonly verificationStatus?: OpenEnum<"unverified" | "starter" | "verified"> | undefined;
  readonly defaultCurrency?: string | undefined;
  readonly websiteUrl?: string | undefined;
  readonly logoUrl?: string | undefined;
  readonly slug?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly createdAt?: number | undefined;
};

export function readOrganization(answer: unknown): Organization | null {
  const found = unwrapObject(answer, ["organization_id"]);
  const id = found && stringField(found, "organization_id");
  if (!found || !id) return null;
  return {
    id,
    merchantId: stringField(found, "merchant_id"),
    name: stringField(found, "name"),
    status: stringField(found, "status"),
    verificationStatus: stringField(found, "verification_status"),
    defaultCurrency: stringField(found, "default_currency"),
    websiteUrl: stringField(found, "website_url"),
    logoUrl: stringField(found, "logo_url"),
    slug: stringField(found, "slug"),
    metadata: objectField(found, "metadata"),
    createdAt: timeField(found, "created_at"),
  };
}

export type Merchant = {
  readonly id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly country?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly createdAt?: number | undefined;
};

export function readMerchant(answer: unknown): Merchant | null {
  const found = unwrapObject(answer, ["merchant_id"]);
  const id = found && stringField(found, "merchant_id");
  if (!found || !id) return null;
  return {
    id,
    name: stringField(found, "name"),
    email: stringField(found, "email"),
    phoneNumber: stringField(found, "phone_number"),
    country: stringField(found, "country"),
    metadata: objectField(found, "metadata"),
    createdAt: timeField(found, "created_at"),
  };
}

/** A way of being paid that the organization has or lacks. */
export type Provider = {
  readonly code: OpenEnum<"CARD" | "WAVE" | "MTN" | "SPI">;
  readonly isConnected?: boolean | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  readonly metadata?: JsonObject | undefined;
};

export function readProvider(answer: unknown): Provider | null {
  const found = unwrapObject(answer, ["provider_code"]);
  const code = found && stringField(found, "provider_code");
  if (!found || !code) return null;
  return {
    code,
    isConnected: booleanField(found, "is_connected"),
    environment: stringField(found, "environment"),
    metadata: objectField(found, "metadata"),
  };
}
