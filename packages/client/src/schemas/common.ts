import { z } from "zod";

export const CURRENCIES = ["XOF", "USD", "EUR"] as const;

export const currencyCodeSchema = z.enum(CURRENCIES, { error: `must be one of ${CURRENCIES.join(", ")}` });
export const environmentSchema = z.enum(["test", "live"]);
export const idSchema = z.guid({ error: "must be a UUID" });
export const timeSchema = z.iso.datetime({ error: "must be an ISO 8601 time in UTC" });
/** An empty text is a mistake: a field without content is left out. */
export const filledSchema = z.string().min(1, { error: "must not be empty; leave the field out" });
/** What the service stored and may not have. */
export const storedTextSchema = z.string().nullable().optional();
/** Of delegated activity. */
export const networkSchema = z.object({ account: z.string(), membership_id: z.string() });

/**
 * An amount in the currency's unit: a positive safe integer. A number outside that rule is the service's
 * `amount_invalid`, not `validation_failed`: its issue carries `params.code`.
 */
export const amountSchema = z
  .number({ error: "must be a number" })
  .refine((amount) => Number.isSafeInteger(amount) && amount > 0, {
    error: "must be a positive whole number",
    params: { code: "amount_invalid" },
  });

export const webUrlSchema = z.string().refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), {
  error: "must be an absolute http or https URL",
});

/** E.164, as mobile money needs it. */
export const phoneSchema = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, { error: "must be a phone number like +2250700000001" });

/** Free-form: at most 50 keys of 64 characters; texts of at most 1000. */
export const metadataSchema = z
  .record(z.string(), z.unknown(), { error: "must be an object" })
  .refine((metadata) => Object.keys(metadata).length <= 50, { error: "must have at most 50 keys" })
  .refine((metadata) => Object.keys(metadata).every((key) => key.length <= 64), {
    error: "keys must have at most 64 characters",
  })
  .refine((metadata) => Object.values(metadata).every((value) => typeof value !== "string" || value.length <= 1000), {
    error: "texts must have at most 1000 characters",
  });

/** What the service stored, without the limits of a request. */
export const storedMetadataSchema = z.record(z.string(), z.unknown());
