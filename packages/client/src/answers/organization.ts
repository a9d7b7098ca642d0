import { flag, instant, type Known, type Row, row, text } from "./fields.ts";
import { unwrapOne } from "./unwrap.ts";

export type Organization = {
  readonly id: string;
  readonly merchantId?: string | undefined;
  readonly name?: string | undefined;
  readonly status?: Known<"active" | "inactive" | "suspended"> | undefined;
  readonly verificationStatus?: Known<"unverified" | "starter" | "verified"> | undefined;
  readonly defaultCurrency?: string | undefined;
  readonly websiteUrl?: string | undefined;
  readonly logoUrl?: string | undefined;
  readonly slug?: string | undefined;
  readonly metadata?: Row | undefined;
  readonly createdAt?: number | undefined;
};

export function readOrganization(answer: unknown): Organization | null {
  const found = unwrapOne(answer, ["organization_id"]);
  const id = found && text(found, "organization_id");
  if (!found || !id) return null;
  return {
    id,
    merchantId: text(found, "merchant_id"),
    name: text(found, "name"),
    status: text(found, "status"),
    verificationStatus: text(found, "verification_status"),
    defaultCurrency: text(found, "default_currency"),
    websiteUrl: text(found, "website_url"),
    logoUrl: text(found, "logo_url"),
    slug: text(found, "slug"),
    metadata: row(found, "metadata"),
    createdAt: instant(found, "created_at"),
  };
}

export type Merchant = {
  readonly id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly country?: string | undefined;
  readonly metadata?: Row | undefined;
  readonly createdAt?: number | undefined;
};

export function readMerchant(answer: unknown): Merchant | null {
  const found = unwrapOne(answer, ["merchant_id"]);
  const id = found && text(found, "merchant_id");
  if (!found || !id) return null;
  return {
    id,
    name: text(found, "name"),
    email: text(found, "email"),
    phoneNumber: text(found, "phone_number"),
    country: text(found, "country"),
    metadata: row(found, "metadata"),
    createdAt: instant(found, "created_at"),
  };
}

/** A way of being paid that the organization has or lacks. */
export type Provider = {
  readonly code: Known<"CARD" | "WAVE" | "MTN" | "SPI">;
  readonly isConnected?: boolean | undefined;
  readonly environment?: Known<"test" | "live"> | undefined;
  readonly metadata?: Row | undefined;
};

export function readProvider(answer: unknown): Provider | null {
  const found = unwrapOne(answer, ["provider_code"]);
  const code = found && text(found, "provider_code");
  if (!found || !code) return null;
  return {
    code,
    isConnected: flag(found, "is_connected"),
    environment: text(found, "environment"),
    metadata: row(found, "metadata"),
  };
}
