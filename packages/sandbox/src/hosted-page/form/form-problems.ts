import type { PaymentMethod } from "../../domain/payment-methods.ts";
import type { RequestedField, Rule } from "./field-rules.ts";
import {
  digitsIn,
  type Field,
  type FormRequirements,
  type FormValues,
  parsePhoneNumber,
  rememberedFields,
} from "./form-values.ts";

export type ProblemCode =
  | `${"name" | "email" | "phone" | "address" | "city" | "country" | "method" | "card_number"}_missing`
  | `${"email" | "phone" | "card_number" | "card_expiry" | "card_cvc"}_wrong`
  | "card_number_not_test"
  | "card_expiry_past"
  | "too_long";

export type Problem = { field: Field; code: ProblemCode };

const maxTextLength = 255;

export function payerProblems(
  values: FormValues,
  { rules, order }: FormRequirements,
  method: PaymentMethod | null,
): readonly Problem[] {
  const address = rules.billing_address;
  // Mobile money asks for the phone in a field of its own, which `methodProblems` checks.
  const phone: Rule = method === "wave" || method === "mtn" ? "hidden" : rules.phone;
  const problems: Record<RequestedField, readonly Problem[]> = {
    name: missingProblems({ field: "name", text: values.name, rule: rules.name, code: "name_missing" }),
    email: [
      ...missingProblems({ field: "email", text: values.email, rule: rules.email, code: "email_missing" }),
      ...invalidProblems({ field: "email", text: values.email, rule: rules.email, code: "email_wrong" }, (text) =>
        /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text),
      ),
    ],
    phone: [
      ...missingProblems({ field: "phone", text: values.phone, rule: phone, code: "phone_missing" }),
      ...invalidProblems(
        { field: "phone", text: values.phone, rule: phone, code: "phone_wrong" },
        (text) => parsePhoneNumber(text) !== null,
      ),
    ],
    billing_address: [
      ...missingProblems({ field: "address", text: values.address, rule: address, code: "address_missing" }),
      ...missingProblems({ field: "city", text: values.city, rule: address, code: "city_missing" }),
      ...missingProblems({ field: "country", text: values.country, rule: address, code: "country_missing" }),
    ],
  };
  return [
    ...order.flatMap((field) => problems[field]),
    ...rememberedFields
      .filter((field) => values[field].length > maxTextLength)
      .map((field): Problem => ({ field, code: "too_long" })),
  ];
}

export function methodProblems(
  values: FormValues,
  form: URLSearchParams,
  { now }: FormRequirements,
  method: PaymentMethod | null,
): readonly Problem[] {
  if (method === null) return [{ field: "method", code: "method_missing" }];
  if (method === "card") return cardProblems(form, now);
  const phone = values.mobile_phone || values.phone;
  if (phone === "") return [{ field: "mobile_phone", code: "phone_missing" }];
  return parsePhoneNumber(phone) === null ? [{ field: "mobile_phone", code: "phone_wrong" }] : [];
}

function cardProblems(form: URLSearchParams, now: number): readonly Problem[] {
  const problems: Problem[] = [];
  const digits = digitsIn(form.get("card_number") ?? "");
  if (digits === "") problems.push({ field: "card_number", code: "card_number_missing" });
  else if (!isCardNumber(digits)) problems.push({ field: "card_number", code: "card_number_wrong" });
  const end = expiryIn(form.get("card_expiry") ?? "");
  if (end === null) problems.push({ field: "card_expiry", code: "card_expiry_wrong" });
  else if (end <= now) problems.push({ field: "card_expiry", code: "card_expiry_past" });
  if (!/^\d{3,4}$/.test((form.get("card_cvc") ?? "").trim()))
    problems.push({ field: "card_cvc", code: "card_cvc_wrong" });
  return problems;
}

/** `code` names the problem that the check looks for. */
type Check = { field: Field; text: string; rule: Rule; code: ProblemCode };

function missingProblems({ field, text, rule, code }: Check): readonly Problem[] {
  return rule === "required" && text === "" ? [{ field, code }] : [];
}

function invalidProblems({ field, text, rule, code }: Check, isValid: (text: string) => boolean): readonly Problem[] {
  return rule === "hidden" || text === "" || isValid(text) ? [] : [{ field, code }];
}

/** Checks the length and the Luhn checksum. */
function isCardNumber(digits: string): boolean {
  if (!/^\d{13,19}$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const isDoubled = index % 2 === 1;
    const value = Number(digit) * (isDoubled ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** The first millisecond after the expiry month of the card. Null when the text is not a date such as 9/29, 09-2029 or 0929. */
function expiryIn(text: string): number | null {
  const match = /^\s*(0?[1-9]|1[0-2])\s*[/\-. ]\s*(\d{2}|\d{4})\s*$|^\s*(0[1-9]|1[0-2])(\d{2})\s*$/.exec(text);
  const month = Number(match?.[1] ?? match?.[3]);
  const year = match?.[2] ?? match?.[4];
  if (year === undefined) return null;
  // Date.UTC counts months from 0, so this is the month after the expiry month.
  return Date.UTC(year.length === 2 ? 2000 + Number(year) : Number(year), month, 1);
}
