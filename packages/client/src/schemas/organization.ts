import { z } from "zod";
import {
  currencyCodeSchema,
  environmentSchema,
  idSchema,
  storedMetadataSchema,
  storedTextSchema,
  timeSchema,
} from "./common.ts";

const earningsFields = {
  mrr: z.number().optional(),
  arr: z.number().optional(),
  merchant_lifetime_value: z.number().optional(),
};

/** Item of GET /organizations and response of GET /organizations/{id}. */
export const organizationSchema = z.object({
  organization_id: idSchema,
  merchant_id: idSchema.optional(),
  name: z.string(),
  email: storedTextSchema,
  phone_number: storedTextSchema,
  verification_status: z.enum(["unverified", "starter", "verified"]),
  website_url: storedTextSchema,
  logo_url: storedTextSchema,
  status: z.enum(["active", "inactive", "suspended"]),
  default_currency: currencyCodeSchema,
  slug: storedTextSchema,
  storefront_enabled: z.boolean().optional(),
  total_revenue: z.number().optional(),
  total_transactions: z.number().optional(),
  total_merchants: z.number().optional(),
  total_customers: z.number().optional(),
  ...earningsFields,
  industry: storedTextSchema,
  employee_number: z.union([z.string(), z.number()]).nullable().optional(),
  is_starter_business: z.boolean().optional(),
  metadata: storedMetadataSchema.nullable(),
  created_at: timeSchema,
  updated_at: timeSchema,
  is_deleted: z.boolean().optional(),
});

/** Response of GET /merchants/{id}. */
export const merchantSchema = z.object({
  merchant_id: idSchema,
  name: z.string(),
  email: storedTextSchema,
  phone_number: storedTextSchema,
  country: storedTextSchema,
  ...earningsFields,
  metadata: storedMetadataSchema.nullable(),
  created_at: timeSchema,
  updated_at: timeSchema,
});

const providerCodeSchema = z.enum(["CARD", "WAVE", "MTN", "SPI"]);

/** Item of GET /providers. */
export const providerSchema = z.object({
  provider_code: providerCodeSchema,
  is_connected: z.boolean(),
  environment: environmentSchema,
  metadata: storedMetadataSchema.nullable(),
});

/** Query of GET /providers. */
export const providerQuerySchema = z.object({ provider_code: providerCodeSchema.optional() });
