import { z } from "zod";
import type { Operation } from "../shopify-api/operation.ts";

/** An operation of the Admin API. */
export function adminOperation<Data>(name: string, text: string, schema: z.ZodType<Data>): Operation<Data> {
  return { name, api: "admin", text, schema };
}

/** An operation of the Admin API that Shopify may deny to a shop, and for which the app has another way. */
export function optionalOperation<Data>(name: string, text: string, schema: z.ZodType<Data>): Operation<Data> {
  return { ...adminOperation(name, text, schema), mayBeDenied: true };
}

/** A decimal amount in the currency that the shopper saw (`MoneyBag.presentmentMoney`). */
export const moneyBag = z.object({ presentmentMoney: z.object({ amount: z.string(), currencyCode: z.string() }) });
