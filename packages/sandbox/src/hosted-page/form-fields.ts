import type { FailureCode, PaymentMethod } from "../domain/payment-methods.ts";
import { type Html, html } from "../pages/html.ts";
import { methodIcons } from "../pages/icons.ts";
import { type CallingCode, callingCodeName, callingCodes, splitNumber } from "./form/calling-codes.ts";
import type { FieldRules, RequestedField, Rule } from "./form/field-rules.ts";
import type { Problem } from "./form/form-problems.ts";
import type { Field, FormValues } from "./form/form-values.ts";
import type { SessionView } from "./session-view.ts";
import type { HostedPageTexts } from "./texts/texts.ts";

export type FormState = {
  rules: FieldRules;
  order: readonly RequestedField[];
  methods: readonly PaymentMethod[];
  values: FormValues;
  problems: readonly Problem[];
  /** The failure of the previous attempt. */
  failure: FailureCode | null;
};

/** The payment methods with the fields of the selected method. CSS alone shows and hides the fields. */
export function methodFields(view: SessionView, state: FormState): Html {
  const { texts } = view;
  const { methods, values } = state;
  const chosenMethod = methods.find((method) => method === values.method) ?? methods[0];
  const hasMobile = methods.includes("wave") || methods.includes("mtn");
  return html`<fieldset><legend>${texts.method}</legend>
${methods.map((method) => html`<input class="pick" type="radio" name="method" id="method-${method}" value="${method}"${method === chosenMethod && html` checked`}>`)}
<div class="choices">${methods.map((method) => html`<label for="method-${method}">${methodIcons[method]}${texts.methods[method]}</label>`)}</div>
${methods.includes("wave") && html`<div class="panel wave"><p>${texts.methodHints.wave}</p></div>`}
${methods.includes("mtn") && html`<div class="panel mtn"><p>${texts.methodHints.mtn}</p></div>`}
${hasMobile && html`<div class="panel mobile">${inputField(view, state, { field: "mobile_phone", type: "tel", autocomplete: "tel", hint: texts.hints.mobilePhone })}</div>`}
${methods.includes("card") && html`<div class="panel card"><p>${texts.methodHints.card}</p>${cardFields(view, state)}</div>`}
</fieldset>`;
}

function cardFields(view: SessionView, state: FormState): Html {
  const { hints } = view.texts;
  return html`<div class="number">${inputField(view, state, { field: "card_number", inputmode: "numeric", autocomplete: "cc-number" })}<output class="brand" for="card_number" id="card_brand"></output></div>
<div class="two">
${inputField(view, state, { field: "card_expiry", inputmode: "numeric", autocomplete: "cc-exp", hint: hints.expiry })}
${inputField(view, state, { field: "card_cvc", inputmode: "numeric", autocomplete: "cc-csc", hint: hints.cvc })}
</div>`;
}

/** The fields about the shopper that the session asks for. */
export function detailFields(view: SessionView, state: FormState): Html | null {
  const { name, email, phone, billing_address: address } = state.rules;
  if ([name, email, phone, address].every((rule) => rule === "hidden")) return null;
  const inputUnlessHidden = (rule: Rule, options: InputOptions) =>
    rule !== "hidden" && inputField(view, state, { ...options, rule });
  const hasCard = state.methods.includes("card");
  const inputs: Record<RequestedField, Html | false> = {
    name: inputUnlessHidden(name, { field: "name", autocomplete: "name" }),
    email: inputUnlessHidden(email, { field: "email", type: "email", autocomplete: "email" }),
    phone:
      hasCard &&
      phone !== "hidden" &&
      html`<div class="contact-phone">${inputUnlessHidden(phone, { field: "phone", type: "tel", autocomplete: "tel" })}</div>`,
    billing_address:
      address !== "hidden" &&
      html`${inputUnlessHidden(address, { field: "address", autocomplete: "street-address" })}
${inputUnlessHidden(address, { field: "city", autocomplete: "address-level2" })}
${inputUnlessHidden("optional", { field: "postal_code", autocomplete: "postal-code" })}
${inputUnlessHidden(address, { field: "country", autocomplete: "country-name" })}`,
  };
  return html`<fieldset><legend>${view.texts.details}</legend>
${state.order.map((field) => inputs[field])}
</fieldset>`;
}

type InputOptions = {
  field: Exclude<Field, "method">;
  type?: "text" | "email" | "tel";
  inputmode?: "numeric";
  autocomplete: string;
  hint?: string;
  rule?: Rule;
};

function inputField({ texts }: SessionView, { values, problems }: FormState, options: InputOptions): Html {
  const { field, hint } = options;
  const problem = problems.find(({ field: invalidField }) => invalidField === field);
  const describedBy = [hint && `${field}-hint`, problem && `${field}-wrong`].filter(Boolean).join(" ");
  // Card fields are never prefilled.
  const typed = field in values ? values[field as keyof FormValues] : "";
  const parts = field === "mobile_phone" ? splitNumber(typed) : null;
  const value = parts?.national ?? typed;
  const input = html`<input id="${field}" name="${field}" type="${options.type ?? "text"}" autocomplete="${options.autocomplete}" value="${value}"${options.inputmode && html` inputmode="${options.inputmode}"`}${options.rule !== "optional" && html` aria-required="true"`}${problem && html` aria-invalid="true"`}${describedBy !== "" && html` aria-describedby="${describedBy}"`}>`;
  return html`<div class="field"><label for="${field}">${texts.labels[field]}${options.rule === "optional" && html` <span>(${texts.optional})</span>`}</label>
${field === "mobile_phone" ? html`<div class="calling">${countryPicker(texts, typed, parts?.code ?? null)}${input}</div>` : input}
${hint && html`<p class="hint" id="${field}-hint">${hint}</p>`}${problem && html`<p class="wrong" id="${field}-wrong">${texts.problems[problem.code]}</p>`}</div>`;
}

/** The country of a phone number. Whoever writes the code before the number needs no choice: it is read from the number. */
function countryPicker(
  { language, labels, otherCountry }: HostedPageTexts,
  typed: string,
  code: CallingCode | null,
): Html {
  const chosen = code ?? (typed === "" ? callingCodes[0] : null);
  const option = (value: CallingCode) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${callingCodeName(value, language)}</option>`;
  return html`<select name="mobile_country" aria-label="${labels.country}" autocomplete="tel-country-code">${callingCodes.map(option)}<option value=""${chosen === null && html` selected`}>${otherCountry}</option></select>`;
}
