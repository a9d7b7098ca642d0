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

export function readOrganization(response: unknown): Organization | null {
  const fields = unwrapObject(response, ["organization_id"]);
  const id = fields && stringField(fields, "organization_id");
  if (!fields || !id) return null;
  return {
    id,
    merchantId: stringField(fields, "merchant_id"),
    name: stringField(fields, "name"),
    status: stringField(fields, "status"),
    verificationStatus: stringField(fields, "verification_status"),
    defaultCurrency: stringField(fields, "default_currency"),
    websiteUrl: stringField(fields, "website_url"),
    logoUrl: stringField(fields, "logo_url"),
    slug: stringField(fields, "slug"),
    metadata: objectField(fields, "metadata"),
    createdAt: timeField(fields, "created_at"),
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

export function readMerchant(response: unknown): Merchant | null {
  const fields = unwrapObject(response, ["merchant_id"]);
  const id = fields && stringField(fields, "merchant_id");
  if (!fields || !id) return null;
  return {
    id,
    name: stringField(fields, "name"),
    email: stringField(fields, "email"),
    phoneNumber: stringField(fields, "phone_number"),
    country: stringField(fields, "country"),
    metadata: objectField(fields, "metadata"),
    createdAt: timeField(fields, "created_at"),
  };
}

/** A payment provider, whether the organization has connected it or not. */
export type Provider = {
  readonly code: OpenEnum<"CARD" | "WAVE" | "MTN" | "SPI">;
  readonly isConnected?: boolean | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  readonly metadata?: JsonObject | undefined;
};

export function readProvider(response: unknown): Provider | null {
  const fields = unwrapObject(response, ["provider_code"]);
  const code = fields && stringField(fields, "provider_code");
  if (!fields || !code) return null;
  return {
    code,
    isConnected: booleanField(fields, "is_connected"),
    environment: stringField(fields, "environment"),
    metadata: objectField(fields, "metadata"),
  };
}
