import type { PaymentMethod } from "../../domain/payment-methods.ts";
import { isCallingCode } from "./calling-codes.ts";
import type { FieldRules, RequestedField } from "./field-rules.ts";

/** Fields that keep their values when the form is shown again. Card fields never do. */
export const rememberedFields = [
  "name",
  "email",
  "phone",
  "address",
  "city",
  "postal_code",
  "country",
  "method",
  "mobile_phone",
] as const;
export type RememberedField = (typeof rememberedFields)[number];
export type Field = RememberedField | "card_number" | "card_expiry" | "card_cvc";

export type FormValues = Record<RememberedField, string>;

export type FormRequirements = {
  rules: FieldRules;
  order: readonly RequestedField[];
  methods: readonly PaymentMethod[];
  now: number;
};

/** The values of the remembered fields in a form. A number without the country's code gets the code that was chosen beside it. */
export function formValuesFrom(form: URLSearchParams): FormValues {
  const entries = rememberedFields.map((field) => [field, (form.get(field) ?? "").trim()]);
  const values = Object.fromEntries(entries) as FormValues;
  const code = form.get("mobile_country") ?? "";
  const isNational = /^\d/.test(values.mobile_phone) && !values.mobile_phone.startsWith("00");
  return isNational && isCallingCode(code) ? { ...values, mobile_phone: `+${code} ${values.mobile_phone}` } : values;
}

/**
 * Normalises a phone number to E.164: spaces, dots, dashes and brackets are removed, and 00 counts as +. Null when the text is not a
 * phone number with its country code.
 */
export function parsePhoneNumber(text: string): string | null {
  const compact = text.replace(/[\s.()\-/\u00a0\u202f]/g, "").replace(/^00/, "+");
  return /^\+[1-9]\d{6,14}$/.test(compact) ? compact : null;
}

/** The number that a mobile money payment is requested from, or "". */
export function readMobilePhone(values: FormValues): string {
  return parsePhoneNumber(values.mobile_phone || values.phone) ?? "";
}

export function digitsIn(text: string): string {
  return text.replace(/[\s-]/g, "");
}
