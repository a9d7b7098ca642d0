import type { FailureCode, PaymentMethod } from "../domain/payment-methods.ts";
import type { HttpResponse } from "../http/http-response.ts";
import { documentResponse } from "../pages/document.ts";
import { type Html, html } from "../pages/html.ts";
import { alertIcon, lockIcon } from "../pages/icons.ts";
import { detailFields, type FormState, methodFields } from "./form-fields.ts";
import { switchUrl } from "./language-url.ts";
import type { SessionView } from "./session-view.ts";

/** The page on which a shopper pays. */
export function checkoutForm(view: SessionView, state: FormState): HttpResponse {
  const { texts, amount, merchant } = view;
  const invalid = state.problems.length > 0;
  const main = html`
<div class="checkout"><div class="top">
<h1>${texts.payTo(merchant)}</h1>
<p class="sum">${amount}</p>
${orderSummary(view)}
</div>
<div class="sheet">
${view.session.environment === "test" && state.methods.length > 0 && testNote(view, state.methods)}
${invalid ? problemSummary(view, state) : failureNote(view, state.failure)}
${state.methods.length === 0 ? html`<p>${texts.noMethod}</p>` : payForm(view, state)}
${view.cancelUrl !== null && html`<p class="leave"><a href="${view.cancelUrl}">${texts.cancel}</a></p>`}
</div></div>`;
  const title = `${invalid ? `${texts.problemTitle} – ` : ""}${texts.payTo(merchant)} · ${amount}`;
  return documentResponse({
    texts,
    nonce: view.nonce,
    title,
    brand: view.brand,
    switchUrl: switchUrl(view),
    theme: "order",
    main,
    status: invalid ? 422 : 200,
  });
}

function orderSummary({ details, texts }: SessionView): Html | null {
  const { title, description, quantity } = details;
  const lines = [description, quantity > 1 ? texts.quantity(quantity) : null].filter((text) => text !== null);
  if (title === null && lines.length === 0) return null;
  return html`<p class="what">${title !== null && html`<b>${title}</b>`}${title !== null && lines.length > 0 && html`<br>`}${lines.join(" · ")}</p>`;
}

function testNote({ texts }: SessionView, methods: readonly PaymentMethod[]): Html {
  const numbers = [
    ...(methods.includes("card") ? texts.testCards : []),
    ...(methods.includes("wave") ? texts.testPhones : []),
  ];
  return html`<details class="test"><summary>${texts.testMode}</summary><div><p>${texts.testModeHint}</p>
<ul>${numbers.map(([number, outcome]) => html`<li><code data-fill="${number}">${number}</code> <span>${outcome}</span></li>`)}</ul></div></details>`;
}

/** Links to each invalid field by its label: the error is written beside the field. The choice of a method has its error here only. */
function problemSummary({ texts }: SessionView, { problems, methods }: FormState): Html {
  const links = problems.map(({ field, code }) =>
    field === "method"
      ? html`<li><a href="#method-${methods[0]}">${texts.problems[code]}</a></li>`
      : html`<li><a href="#${field}">${texts.labels[field]}</a></li>`,
  );
  return html`<div class="problem" id="problem" role="alert" tabindex="-1">${alertIcon}<div><h2>${texts.problemTitle}</h2>
<ul>${links}</ul></div></div>`;
}

function failureNote({ texts }: SessionView, failure: FailureCode | null): Html | null {
  if (failure === null) return null;
  return html`<div class="problem" id="problem" role="alert" tabindex="-1">${alertIcon}<div><h2>${texts.declinedTitle}</h2>
<p>${texts.failures[failure]} ${texts.noneCharged}</p></div></div>`;
}

function payForm(view: SessionView, state: FormState): Html {
  const { texts, amount } = view;
  return html`<form method="post" action="${view.pageUrl()}" novalidate data-paying-label="${texts.paying}">
${methodFields(view, state)}
${detailFields(view, state)}
<button class="button">${lockIcon}${texts.pay(amount)}</button>
</form>`;
}
