import type { Currency } from "../domain/currencies.ts";
import type { Environment } from "../domain/environment.ts";

export type OrganizationRow = {
  organization_id: string;
  merchant_id: string;
  name: string;
  status: "active" | "suspended";
  default_currency: Currency;
  created_at: number;
  /** Null means never changed. */
  updated_at: number | null;
  /** See `MerchantSettings`. Null means the defaults. */
  settings_json: string | null;
};

export type ApiKeyRow = {
  key: string;
  organization_id: string;
  environment: Environment;
  kind: "secret" | "publishable";
  /** The order of creation within the organization, from 1. */
  number: number;
};
