import type { Payer } from "../payments/customers.ts";
import { cardOutcome, type Method, phoneOutcome } from "../payments/methods.ts";
import type { Attempt } from "../payments/pay.ts";
import type { AskedField, FieldRules, Rule } from "./field-rules.ts";

/** Fields that are shown again as they were typed. A card's never are. */
export const keptFields = [
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
export type KeptField = (typeof keptFields)[number];
export type Field = KeptField | "card_number" | "card_expiry" | "card_cvc";

export type Typed = Record<KeptField, string>;

export type ProblemCode =
  | `${"name" | "email" | "phone" | "address" | "city" | "country" | "method" | "card_number"}_missing`
  | `${"email" | "phone" | "card_number" | "card_expiry" | "card_cvc"}_wrong`
  | "card_number_untested"
  | "card_expiry_past"
  | "too_long";

export type Problem = { field: Field; code: ProblemCode };

type Asked = { rules: FieldRules; order: readonly AskedField[]; methods: readonly Method[]; now: number };

/** What the shopper typed, and either what is wrong with it or the attempt to make. */
export function readForm(
  form: URLSearchParams,
  asked: Asked,
): { typed: Typed; problems: readonly Problem[]; attempt: Attempt | null } {
  const typed = typedIn(form);
  const method = asked.methods.find((offered) => offered === typed.method) ?? null;
  // In the order of the page: what is said first is what the eye meets first.
  const problems = [...methodProblems(typed, form, asked, method), ...payerProblems(typed, asked, method)];
  if (method === null || problems.length > 0) return { typed, problems, attempt: null };
  const digits = method === "card" ? digitsIn(form.get("card_number") ?? "") : mobilePhone(typed);
  const outcome = method === "card" ? cardOutcome(digits) : phoneOutcome(digits);
  if (outcome === null)
    return { typed, problems: [{ field: "card_number", code: "card_number_untested" }], attempt: null };
  return {
    typed,
    problems,
    attempt: { method, outcome, payer: payerOf(typed, asked.rules, method), lastDigits: digits.slice(-4) },
  };
}

/** The same fields, empty or prefilled. */
export function typedIn(form: URLSearchParams): Typed {
  return Object.fromEntries(keptFields.map((field) => [field, (form.get(field) ?? "").trim()])) as Typed;
}

/** E.164, with the ways people write it: spaces, dots, dashes, brackets, and 00 for +. */
export function phoneNumber(text: string): string | null {
  const compact = text.replace(/[\s.()\-/\u00a0\u202f]/g, "").replace(/^00/, "+");
  return /^\+[1-9]\d{6,14}$/.test(compact) ? compact : null;
}

function payerProblems(typed: Typed, { rules, order }: Asked, method: Method | null): readonly Problem[] {
  const address = rules.billing_address;
  // Mobile money asks for its own number, which then is the shopper's.
  const phone: Rule = method === "wave" || method === "mtn" ? "hidden" : rules.phone;
  const problems: Record<AskedField, readonly Problem[]> = {
    name: missing("name", typed.name, rules.name, "name_missing"),
    email: [
      ...missing("email", typed.email, rules.email, "email_missing"),
      ...wrong("email", typed.email, rules.email, "email_wrong", (text) => /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text)),
    ],
    phone: [
      ...missing("phone", typed.phone, phone, "phone_missing"),
      ...wrong("phone", typed.phone, phone, "phone_wrong", (text) => phoneNumber(text) !== null),
    ],
    billing_address: [
      ...missing("address", typed.address, address, "address_missing"),
      ...missing("city", typed.city, address, "city_missing"),
      ...missing("country", typed.country, address, "country_missing"),
    ],
  };
  return [
    ...order.flatMap((field) => problems[field]),
    ...keptFields.filter((field) => typed[field].length > 255).map((field): Problem => ({ field, code: "too_long" })),
  ];
}

function methodProblems(
  typed: Typed,
  form: URLSearchParams,
  { now }: Asked,
  method: Method | null,
): readonly Problem[] {
  if (method === null) return [{ field: "method", code: "method_missing" }];
  if (method === "card") return cardProblems(form, now);
  const phone = typed.mobile_phone || typed.phone;
  if (phone === "") return [{ field: "mobile_phone", code: "phone_missing" }];
  return phoneNumber(phone) === null ? [{ field: "mobile_phone", code: "phone_wrong" }] : [];
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

function payerOf(typed: Typed, rules: FieldRules, method: Method): Payer {
  const shown = (rule: Rule, text: string) => (rule === "hidden" || text === "" ? null : text);
  const address = { address: typed.address, city: typed.city, postal_code: typed.postal_code, country: typed.country };
  return {
    name: shown(rules.name, typed.name),
    email: shown(rules.email, typed.email)?.toLowerCase() ?? null,
    phone: method === "card" ? phoneNumber(shown(rules.phone, typed.phone) ?? "") : mobilePhone(typed),
    address: rules.billing_address === "hidden" ? {} : address,
  };
}

function mobilePhone(typed: Typed): string {
  return phoneNumber(typed.mobile_phone || typed.phone) ?? "";
}

function missing(field: Field, text: string, rule: Rule, code: ProblemCode): readonly Problem[] {
  return rule === "required" && text === "" ? [{ field, code }] : [];
}

function wrong(
  field: Field,
  text: string,
  rule: Rule,
  code: ProblemCode,
  isRight: (text: string) => boolean,
): readonly Problem[] {
  return rule === "hidden" || text === "" || isRight(text) ? [] : [{ field, code }];
}

function digitsIn(text: string): string {
  return text.replace(/[\s-]/g, "");
}

function isCardNumber(digits: string): boolean {
  if (!/^\d{13,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The first moment after the last day of the month on the card; null when it is no date. */
function expiryIn(text: string): number | null {
  const match = /^\s*(0?[1-9]|1[0-2])\s*[/\-. ]\s*(\d{2}|\d{4})\s*$|^\s*(0[1-9]|1[0-2])(\d{2})\s*$/.exec(text);
  const month = Number(match?.[1] ?? match?.[3]);
  const year = match?.[2] ?? match?.[4];
  if (year === undefined) return null;
  return Date.UTC(year.length === 2 ? 2000 + Number(year) : Number(year), month, 1);
}
