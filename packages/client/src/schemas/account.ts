import { z } from "zod";
import { currencyCodeSchema, environmentSchema, idSchema, timeSchema } from "./common.ts";

/** Item of GET /accounts/balance. */
export const balanceSchema = z.object({
  currency_code: currencyCodeSchema,
  balance: z.number(),
  last_updated: timeSchema,
});

/** Query of GET /accounts/balance. */
export const balanceQuerySchema = z.object({ currency: currencyCodeSchema.optional() });

/** Item of GET /accounts and response of GET /accounts/{id}. */
export const accountSchema = z.object({
  account_id: idSchema,
  organization_id: idSchema,
  currency_code: currencyCodeSchema,
  balance: z.number(),
  environment: environmentSchema,
  created_at: timeSchema,
});
