import type { SessionTerms } from "../payments/session-terms.ts";

export type Rule = "required" | "optional" | "hidden";
const askedFields = ["name", "email", "phone", "billing_address"] as const;
export type AskedField = (typeof askedFields)[number];
export type FieldRules = Record<AskedField, Rule>;

/** What the page asks for; the service's API, section 10. A list in `fields` overrides the `require_…` flags. */
export function fieldRules(terms: SessionTerms): FieldRules {
  const email = listed(terms, "email") ?? (terms.require_email ? "required" : "hidden");
  const phoneByDefault = email === "hidden" ? "hidden" : "optional";
  return {
    name: listed(terms, "name") ?? (terms.require_name ? "required" : "hidden"),
    email,
    phone: listed(terms, "phone") ?? (terms.require_phone ? "required" : phoneByDefault),
    billing_address: listed(terms, "billing_address") ?? (terms.require_billing_address ? "required" : "hidden"),
  };
}

/** The order in which the page asks: first what `fields` numbers, then the rest as usual. */
export function fieldOrder({ fields }: SessionTerms): readonly AskedField[] {
  const placeOf = (key: AskedField) => fields?.find((field) => field.key === key)?.order ?? Number.MAX_SAFE_INTEGER;
  return [...askedFields].sort((one, other) => placeOf(one) - placeOf(other));
}

function listed({ fields }: SessionTerms, key: AskedField): Rule | null {
  const visibility = fields?.find((field) => field.key === key)?.visibility;
  return visibility === "required" || visibility === "optional" || visibility === "hidden" ? visibility : null;
}
