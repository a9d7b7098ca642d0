import type { Answer } from "../api/answer.ts";
import type { FailureCode, Method } from "../payments/methods.ts";
import { documentAnswer } from "./document.ts";
import type { FieldRules, Rule } from "./field-rules.ts";
import { type Html, html } from "./html.ts";
import { alertIcon, lockIcon, methodIcons } from "./icons.ts";
import type { Field, Problem, Typed } from "./read-form.ts";
import { switchUrl } from "./switch-url.ts";
import type { View } from "./view.ts";

export type FormState = {
  rules: FieldRules;
  methods: readonly Method[];
  typed: Typed;
  problems: readonly Problem[];
  /** Why the attempt before this one failed. */
  failure: FailureCode | null;
};

/** The page on which a shopper pays. */
export function checkoutForm(view: View, state: FormState): Answer {
  const { words, amount, merchant } = view;
  const invalid = state.problems.length > 0;
  const main = html`
<h1>${words.payTo(merchant)}</h1>
<p class="sum">${amount}</p>
${whatFor(view)}
<div class="sheet">
${view.session.environment === "test" && testNote(view, state.methods)}
${invalid ? problemSummary(view, state) : failureNote(view, state.failure)}
${state.methods.length === 0 ? html`<p>${words.noMethod}</p>` : payForm(view, state)}
${view.cancelUrl !== null && html`<p class="leave"><a href="${view.cancelUrl}">${words.cancelTo(merchant)}</a></p>`}
</div>`;
  const title = `${invalid ? `${words.problemTitle} – ` : ""}${words.payTo(merchant)} · ${amount}`;
  return documentAnswer({
    words,
    nonce: view.nonce,
    title,
    merchant,
    switchUrl: switchUrl(view),
    look: "order",
    main,
    status: invalid ? 422 : 200,
  });
}

function whatFor({ terms, words }: View): Html | null {
  const { title, description, quantity } = terms;
  const details = [description, quantity > 1 ? words.quantity(quantity) : null].filter((text) => text !== null);
  if (title === null && details.length === 0) return null;
  return html`<p class="what">${title !== null && html`<b>${title}</b>`}${title !== null && details.length > 0 && html`<br>`}${details.join(" · ")}</p>`;
}

function testNote({ words }: View, methods: readonly Method[]): Html {
  const numbers = [
    ...(methods.includes("card") ? words.testCards : []),
    ...(methods.includes("wave") ? words.testPhones : []),
  ];
  return html`<details class="test"><summary>${words.testMode}</summary><div><p>${words.testModeHint}</p>
<ul>${numbers.map(([number, outcome]) => html`<li><code>${number}</code> <span>${outcome}</span></li>`)}</ul></div></details>`;
}

function problemSummary({ words }: View, { problems, methods }: FormState): Html {
  const target = (field: Field) => (field === "method" ? `m-${methods[0]}` : field);
  return html`<div class="problem" id="problem" role="alert" tabindex="-1">${alertIcon}<div><h2>${words.problemTitle}</h2>
<ul>${problems.map(({ field, code }) => html`<li><a href="#${target(field)}">${words.problems[code]}</a></li>`)}</ul></div></div>`;
}

function failureNote({ words }: View, failure: FailureCode | null): Html | null {
  if (failure === null) return null;
  return html`<div class="problem" id="problem" role="alert" tabindex="-1">${alertIcon}<div><h2>${words.declinedTitle}</h2>
<p>${words.failures[failure]} ${words.noneCharged}</p></div></div>`;
}

function payForm(view: View, state: FormState): Html {
  const { words, amount } = view;
  return html`<form method="post" action="${view.address()}#problem" novalidate data-once="${words.paying}">
${methodFields(view, state)}
${detailFields(view, state)}
<button class="button">${lockIcon}${words.pay(amount)}</button>
</form>`;
}

function methodFields(view: View, state: FormState): Html {
  const { words } = view;
  const { methods, typed } = state;
  const picked = methods.find((method) => method === typed.method) ?? methods[0];
  const hasMobile = methods.includes("wave") || methods.includes("mtn");
  return html`<fieldset><legend>${words.method}</legend>
${methods.map((method) => html`<input class="pick" type="radio" name="method" id="m-${method}" value="${method}"${method === picked && html` checked`}>`)}
<div class="choices">${methods.map((method) => html`<label for="m-${method}">${methodIcons[method]}${words.methods[method]}</label>`)}</div>
${methods.includes("wave") && html`<div class="panel wave"><p>${words.methodHints.wave}</p></div>`}
${methods.includes("mtn") && html`<div class="panel mtn"><p>${words.methodHints.mtn}</p></div>`}
${hasMobile && html`<div class="panel mobile">${input(view, state, { field: "mobile_phone", type: "tel", autocomplete: "tel", hint: words.hints.mobilePhone })}</div>`}
${methods.includes("card") && html`<div class="panel card"><p>${words.methodHints.card}</p>${cardFields(view, state)}</div>`}
</fieldset>`;
}

function cardFields(view: View, state: FormState): Html {
  const { hints } = view.words;
  return html`${input(view, state, { field: "card_number", inputmode: "numeric", autocomplete: "cc-number" })}
<div class="two">
${input(view, state, { field: "card_expiry", inputmode: "numeric", autocomplete: "cc-exp", hint: hints.expiry })}
${input(view, state, { field: "card_cvc", inputmode: "numeric", autocomplete: "cc-csc", hint: hints.cvc })}
</div>`;
}

function detailFields(view: View, state: FormState): Html | null {
  const { name, email, phone, billing_address: address } = state.rules;
  if ([name, email, phone, address].every((rule) => rule === "hidden")) return null;
  const show = (rule: Rule, options: InputOptions) => rule !== "hidden" && input(view, state, { ...options, rule });
  const hasCard = state.methods.includes("card");
  return html`<fieldset><legend>${view.words.details}</legend>
${show(name, { field: "name", autocomplete: "name" })}
${show(email, { field: "email", type: "email", autocomplete: "email" })}
${hasCard && phone !== "hidden" && html`<div class="contact-phone">${show(phone, { field: "phone", type: "tel", autocomplete: "tel" })}</div>`}
${show(address, { field: "address", autocomplete: "street-address" })}
${
  address !== "hidden" &&
  html`<div class="two">${show(address, { field: "city", autocomplete: "address-level2" })}
${show("optional", { field: "postal_code", autocomplete: "postal-code" })}</div>`
}
${show(address, { field: "country", autocomplete: "country-name" })}
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

function input({ words }: View, { typed, problems }: FormState, options: InputOptions): Html {
  const { field, hint } = options;
  const problem = problems.find((one) => one.field === field);
  const described = [hint && `${field}-hint`, problem && `${field}-wrong`].filter(Boolean).join(" ");
  // A card's fields are never filled in again.
  const value = field in typed ? typed[field as keyof Typed] : "";
  return html`<div class="field"><label for="${field}">${words.labels[field]}${options.rule === "optional" && html` <span>(${words.optional})</span>`}</label>
<input id="${field}" name="${field}" type="${options.type ?? "text"}" autocomplete="${options.autocomplete}" value="${value}"${options.inputmode && html` inputmode="${options.inputmode}"`}${options.rule !== "optional" && html` aria-required="true"`}${problem && html` aria-invalid="true"`}${described !== "" && html` aria-describedby="${described}"`}>
${hint && html`<p class="hint" id="${field}-hint">${hint}</p>`}${problem && html`<p class="wrong" id="${field}-wrong">${words.problems[problem.code]}</p>`}</div>`;
}
