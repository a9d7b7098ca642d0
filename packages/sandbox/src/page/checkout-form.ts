import type { Answer } from "../api/answer.ts";
import type { FailureCode, Method } from "../payments/methods.ts";
import { documentAnswer } from "./document.ts";
import { detailFields, type FormState, methodFields } from "./form-fields.ts";
import { type Html, html } from "./html.ts";
import { alertIcon, lockIcon } from "./icons.ts";
import type { Field } from "./read-form.ts";
import { switchUrl } from "./switch-url.ts";
import type { View } from "./view.ts";

/** The page on which a shopper pays. */
export function checkoutForm(view: View, state: FormState): Answer {
  const { words, amount, merchant } = view;
  const invalid = state.problems.length > 0;
  const main = html`
<div class="top">
<h1>${words.payTo(merchant)}</h1>
<p class="sum">${amount}</p>
${whatFor(view)}
</div>
<div class="sheet">
${view.session.environment === "test" && state.methods.length > 0 && testNote(view, state.methods)}
${invalid ? problemSummary(view, state) : failureNote(view, state.failure)}
${state.methods.length === 0 ? html`<p>${words.noMethod}</p>` : payForm(view, state)}
${view.cancelUrl !== null && html`<p class="leave"><a href="${view.cancelUrl}">${words.cancel}</a></p>`}
</div>`;
  const title = `${invalid ? `${words.problemTitle} – ` : ""}${words.payTo(merchant)} · ${amount}`;
  return documentAnswer({
    words,
    nonce: view.nonce,
    title,
    shop: view.shop,
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
