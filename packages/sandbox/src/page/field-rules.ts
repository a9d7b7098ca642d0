import type { SessionTerms } from "../payments/session-terms.ts";

export type Rule = "required" | "optional" | "hidden";
export type AskedField = "name" | "email" | "phone" | "billing_address";
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

function listed({ fields }: SessionTerms, key: AskedField): Rule | null {
  const visibility = fields?.find((field) => field.key === key)?.visibility;
  return visibility === "required" || visibility === "optional" || visibility === "hidden" ? visibility : null;
}
