import type { SessionDetails } from "../../payments/session-details.ts";

export type Rule = "required" | "optional" | "hidden";
const requestedFields = ["name", "email", "phone", "billing_address"] as const;
export type RequestedField = (typeof requestedFields)[number];
export type FieldRules = Record<RequestedField, Rule>;

/**
 * Which fields the page asks for. The list `fields` of the session overrides the `require_…` flags. If neither the list nor a flag
 * decides about the phone, a page that asks for the e-mail also offers the phone.
 */
export function fieldRules(details: SessionDetails): FieldRules {
  const { require_name, require_email, require_phone, require_billing_address } = details;
  const email = listedRule(details, "email") ?? flagRule(require_email);
  const phoneByDefault = email === "hidden" ? "hidden" : "optional";
  return {
    name: listedRule(details, "name") ?? flagRule(require_name),
    email,
    phone: listedRule(details, "phone") ?? (require_phone ? "required" : phoneByDefault),
    billing_address: listedRule(details, "billing_address") ?? flagRule(require_billing_address),
  };
}

function flagRule(isRequired: boolean): Rule {
  return isRequired ? "required" : "hidden";
}

/** The order of the fields: first the fields with an `order`, then the others in the default order. */
export function fieldOrder({ fields }: SessionDetails): readonly RequestedField[] {
  const positionOf = (key: RequestedField) =>
    fields?.find((field) => field.key === key)?.order ?? Number.MAX_SAFE_INTEGER;
  return [...requestedFields].sort((one, other) => positionOf(one) - positionOf(other));
}

function listedRule({ fields }: SessionDetails, key: RequestedField): Rule | null {
  const visibility = fields?.find((field) => field.key === key)?.visibility;
  return visibility === "required" || visibility === "optional" || visibility === "hidden" ? visibility : null;
}
