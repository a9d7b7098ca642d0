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

/** An organization as the service returned it. Fields missing from the response are undefined. */
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
  /** In milliseconds since 1970. */
  readonly createdAt?: number | undefined;
};

export function parseOrganization(response: unknown): Organization | null {
  const fields = unwrapObject(response, ["organization_id"]);
  const id = fields && stringField(fields, "organization_id");
  if (!fields || !id) return null;
  return {
    id,
    merchantId: stringField(fields, "merchant_id"),
    name: stringField(fields, "name"),
    status: enumField(fields, "status"),
    verificationStatus: enumField(fields, "verification_status"),
    defaultCurrency: stringField(fields, "default_currency"),
    websiteUrl: stringField(fields, "website_url"),
    logoUrl: stringField(fields, "logo_url"),
    slug: stringField(fields, "slug"),
    metadata: objectField(fields, "metadata"),
    createdAt: timeField(fields, "created_at"),
  };
}

/** A merchant as the service returned it. Fields missing from the response are undefined. */
export type Merchant = {
  readonly id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly country?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  /** In milliseconds since 1970. */
  readonly createdAt?: number | undefined;
};

export function parseMerchant(response: unknown): Merchant | null {
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

export type ProviderCode = "CARD" | "WAVE" | "MTN" | "SPI";

/** A payment provider that the service supports. Fields missing from the response are undefined. */
export type Provider = {
  readonly code: OpenEnum<ProviderCode>;
  /** Whether the organization has connected this provider. */
  readonly isConnected?: boolean | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  readonly metadata?: JsonObject | undefined;
};

export function parseProvider(response: unknown): Provider | null {
  const fields = unwrapObject(response, ["provider_code"]);
  const code = fields && enumField<ProviderCode>(fields, "provider_code");
  if (!fields || !code) return null;
  return {
    code,
    isConnected: booleanField(fields, "is_connected"),
    environment: enumField(fields, "environment"),
    metadata: objectField(fields, "metadata"),
  };
}
