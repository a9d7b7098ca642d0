import type { SessionDetails } from "../../payments/session-details.ts";

export type Rule = "required" | "optional" | "hidden";
const askedFields = ["name", "email", "phone", "billing_address"] as const;
export type AskedField = (typeof askedFields)[number];
export type FieldRules = Record<AskedField, Rule>;

/** What the page asks for; the service's API, section 10. A list in `fields` overrides the `require_…` flags. */
export function fieldRules(details: SessionDetails): FieldRules {
  const email = listedRule(details, "email") ?? (details.require_email ? "required" : "hidden");
  const phoneByDefault = email === "hidden" ? "hidden" : "optional";
  return {
    name: listedRule(details, "name") ?? (details.require_name ? "required" : "hidden"),
    email,
    phone: listedRule(details, "phone") ?? (details.require_phone ? "required" : phoneByDefault),
    billing_address:
      listedRule(details, "billing_address") ?? (details.require_billing_address ? "required" : "hidden"),
  };
}

/** The order in which the page asks: first what `fields` numbers, then the rest as usual. */
export function fieldOrder({ fields }: SessionDetails): readonly AskedField[] {
  const placeOf = (key: AskedField) => fields?.find((field) => field.key === key)?.order ?? Number.MAX_SAFE_INTEGER;
  return [...askedFields].sort((one, other) => placeOf(one) - placeOf(other));
}

function listedRule({ fields }: SessionDetails, key: AskedField): Rule | null {
  const visibility = fields?.find((field) => field.key === key)?.visibility;
  return visibility === "required" || visibility === "optional" || visibility === "hidden" ? visibility : null;
}
