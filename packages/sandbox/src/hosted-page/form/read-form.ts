import type { Payer } from "../../customers/attach-customer.ts";
import { cardOutcome, type PaymentMethod, phoneOutcome } from "../../domain/payment-methods.ts";
import type { PaymentAttempt } from "../../payments/pay-session.ts";
import type { FieldRules, Rule } from "./field-rules.ts";
import { methodProblems, type Problem, payerProblems } from "./form-problems.ts";
import {
  digitsIn,
  type FormRequirements,
  type FormValues,
  formValuesFrom,
  parsePhoneNumber,
  readMobilePhone,
} from "./form-values.ts";

/** Reads the form. Returns the typed values, and either the problems or the payment attempt. */
export function readForm(
  form: URLSearchParams,
  requirements: FormRequirements,
): { values: FormValues; problems: readonly Problem[]; attempt: PaymentAttempt | null } {
  const values = formValuesFrom(form);
  const method = requirements.methods.find((offered) => offered === values.method) ?? null;
  // The problems have the order of the fields on the page.
  const problems = [
    ...methodProblems(values, form, requirements, method),
    ...payerProblems(values, requirements, method),
  ];
  if (method === null || problems.length > 0) return { values, problems, attempt: null };
  const cardOrPhoneNumber = method === "card" ? digitsIn(form.get("card_number") ?? "") : readMobilePhone(values);
  const outcome = method === "card" ? cardOutcome(cardOrPhoneNumber) : phoneOutcome(cardOrPhoneNumber);
  if (outcome === null)
    return { values, problems: [{ field: "card_number", code: "card_number_not_test" }], attempt: null };
  return {
    values,
    problems,
    attempt: {
      method,
      outcome,
      payer: payerOf(values, requirements.rules, method),
      lastDigits: cardOrPhoneNumber.slice(-4),
    },
  };
}

function payerOf(values: FormValues, rules: FieldRules, method: PaymentMethod): Payer {
  const textUnlessHidden = (rule: Rule, text: string) => (rule === "hidden" || text === "" ? null : text);
  const address = {
    address: values.address,
    city: values.city,
    postal_code: values.postal_code,
    country: values.country,
  };
  return {
    name: textUnlessHidden(rules.name, values.name),
    email: textUnlessHidden(rules.email, values.email)?.toLowerCase() ?? null,
    phone:
      method === "card" ? parsePhoneNumber(textUnlessHidden(rules.phone, values.phone) ?? "") : readMobilePhone(values),
    address: rules.billing_address === "hidden" ? {} : address,
  };
}
