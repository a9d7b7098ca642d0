import { z } from "zod";
import { parseUrl } from "../addresses/parse-url.ts";

export const CURRENCIES = ["XOF", "USD", "EUR"] as const;

export const currencyCodeSchema = z.enum(CURRENCIES, { error: `must be one of ${CURRENCIES.join(", ")}` });
export const environmentSchema = z.enum(["test", "live"]);
export const idSchema = z.guid({ error: "must be a UUID" });
export const timeSchema = z.iso.datetime({ error: "must be an ISO 8601 time in UTC" });
/** An empty string is an error: leave the field out. */
export const filledSchema = z.string().min(1, { error: "must not be empty; leave the field out" });
/** A string of a stored resource, which may be absent. */
export const storedTextSchema = z.string().nullable().optional();
/** Present on delegated resources (API.md#network). */
export const networkSchema = z.object({ account: z.string(), membership_id: z.string() });

/**
 * A positive safe integer (API.md#amounts). Another number is `amount_invalid`, not `validation_failed`; the issue holds
 * that code in `params.code`.
 */
export const amountSchema = z
  .number({ error: "must be a number" })
  .refine((amount) => Number.isSafeInteger(amount) && amount > 0, {
    error: "must be a positive whole number",
    params: { code: "amount_invalid" },
  });

export const webUrlSchema = z.string().refine((url) => /^https?:$/.test(parseUrl(url)?.protocol ?? ""), {
  error: "must be an absolute http or https URL",
});

/** E.164, which mobile money requires. */
export const phoneSchema = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, { error: "must be a phone number like +2250700000001" });

/** At most 50 keys of 64 characters; strings of at most 1000 characters. */
export const metadataSchema = z
  .record(z.string(), z.unknown(), { error: "must be an object" })
  .refine((metadata) => Object.keys(metadata).length <= 50, { error: "must have at most 50 keys" })
  .refine((metadata) => Object.keys(metadata).every((key) => key.length <= 64), {
    error: "keys must have at most 64 characters",
  })
  .refine((metadata) => Object.values(metadata).every((value) => typeof value !== "string" || value.length <= 1000), {
    error: "texts must have at most 1000 characters",
  });

/** Metadata of a stored resource, without the limits of a request. */
export const storedMetadataSchema = z.record(z.string(), z.unknown());
