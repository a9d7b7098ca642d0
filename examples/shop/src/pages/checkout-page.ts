import { formatMoney } from "@tillkit/core";
import type { Basket } from "../cart.ts";
import { type Html, html } from "../html.ts";
import { illustration } from "../illustrations.ts";
import type { Visit } from "../visit.ts";
import { formToken, lineName, type Page } from "./layout.ts";

export type CheckoutForm = {
  readonly basket: Basket;
  /** The order's key is created with the form, so that submitting it twice makes one order. */
  readonly orderKey: string;
  readonly pickupName: string;
  readonly problem: string | null;
};

/** The form asks only for a name. The hosted page asks for everything that the payment needs. */
export function checkoutPage(visit: Visit, form: CheckoutForm): Page {
  const { messages, language } = visit;
  const total = formatMoney(form.basket.total, language);
  return {
    title: form.problem ? `${form.problem} ${messages.checkout}` : messages.checkout,
    body: html`<h1>${messages.checkout}</h1>
      <section class="panel" aria-labelledby="summary"><h2 id="summary">${messages.summary}</h2>
        <ul class="plain">${form.basket.lines.map((line) => summaryLine(visit, line))}</ul>
        <p class="sum"><span>${messages.total}</span> <strong>${total}</strong></p></section>
      <form class="panel" method="post" action="/orders" data-working="${messages.working}">
        ${formToken(visit)}
        <input type="hidden" name="order" value="${form.orderKey}">
        <input type="hidden" name="currency" value="${form.basket.currency}">
        ${pickupNameField(visit, form)}
        <button class="wide">${LOCK}${messages.pay(total)}</button>
        <p class="hint">${messages.payNext}</p>
      </form>
      <p class="after"><a href="/cart">${messages.backToCart}</a></p>
      <script src="/pay.js" defer></script>`,
  };
}

const LOCK = html`<svg class="lock" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false"><path d="M4 9h12v8H4zM7 9V6a3 3 0 0 1 6 0v3" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"/></svg>`;

function summaryLine(visit: Visit, line: Basket["lines"][number]): Html {
  const { price } = line.product;
  const amount = formatMoney({ ...price, minor: price.minor * line.quantity }, visit.language);
  return html`<li>${illustration(line.product.id)}<span>${lineName(visit, line)}</span> <span>${amount}</span></li>`;
}

function pickupNameField({ messages }: Visit, { pickupName, problem }: CheckoutForm): Html {
  return html`<div class="field">
    <label for="pickupName">${messages.pickupName}</label>
    <p class="hint" id="pickup-name-hint">${messages.pickupNameHint}</p>
    ${problem && html`<p class="problem" id="pickup-name-problem">${problem}</p>`}
    <input id="pickupName" name="pickupName" type="text" autocomplete="name" required maxlength="80" value="${pickupName}"
      aria-describedby="pickup-name-hint${problem && " pickup-name-problem"}"${problem && html` aria-invalid="true"`}>
  </div>`;
}
