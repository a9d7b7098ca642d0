import { decimalText, explainFinding, type Finding, formatMoney, type Payment } from "@tillkit/core";
import { type Html, html, keepSigns } from "../html.ts";
import { newOrderKey, type ShopOrder } from "../orders.ts";
import type { Visit } from "../visit.ts";
import { formToken, type Page } from "./layout.ts";

export type OwnerRow = { readonly order: ShopOrder; readonly payments: readonly Payment[] };

export function ownerPage(visit: Visit, rows: readonly OwnerRow[], problem: string | null): Page {
  const { messages } = visit;
  return {
    title: messages.ownerTitle,
    body: html`<h1>${messages.ownerTitle}</h1><p>${messages.ownerText}</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${rows.length === 0 ? html`<p>${messages.ownerEmpty}</p>` : rows.map((row) => orderPanel(visit, row))}`,
  };
}

function orderPanel(visit: Visit, { order, payments }: OwnerRow): Html {
  const { messages, language } = visit;
  const isRefunded = order.refunded.minor > 0 && order.refunded.minor >= order.total.minor;
  const state = isRefunded ? "refunded" : order.state;
  return html`<section class="panel owner" aria-labelledby="order-${order.id}">
    <h2 id="order-${order.id}">${messages.orderTitle(order.id)} <span class="tag ${state}">${messages.states[state]}</span></h2>
    <p>${order.pickupName} · <strong>${formatMoney(order.total, language)}</strong> · <a href="/orders/${order.key}" aria-label="${messages.ownerSee} ${order.id}">${messages.ownerSee}</a></p>
    ${order.holds.map((hold) => holdLine(visit, hold))}
    <h3>${messages.ownerPayments}</h3>
    ${payments.length === 0 && html`<p class="hint">${messages.ownerNoPayment}</p>`}
    <ul>${payments.map((payment) => paymentLine(visit, payment))}</ul>
    ${order.refunded.minor > 0 && html`<p>${messages.ownerRefunded} <strong>${formatMoney(order.refunded, language)}</strong></p>`}
    ${order.state === "open" && ownerForms(visit, order)}
    ${order.state === "paid" && order.refunded.minor < order.total.minor && refundForm(visit, order)}
  </section>`;
}

function holdLine({ messages, language }: Visit, finding: Finding): Html {
  return html`<p class="problem">${messages.ownerHold}\u00a0: ${keepSigns(explainFinding(finding, language))}</p>`;
}

function paymentLine({ messages, language }: Visit, { id, state, amountDue }: Payment): Html {
  const name = html`<a href="/operators/payments/${id}"><code>${id.slice(0, 8)}</code></a>`;
  return html`<li>${name} · ${messages.paymentStates[state]} · ${formatMoney(amountDue, language)}</li>`;
}

function ownerForms(visit: Visit, { id, total }: ShopOrder): Html {
  const { messages, language } = visit;
  return html`<div class="owner-forms">
    <form method="post" action="/owner/${id}/total">${formToken(visit)}
      <label for="total-${id}">${messages.ownerTotal(formatMoney(total, language))}</label>
      <input id="total-${id}" name="total" inputmode="decimal" required maxlength="16" value="${decimalText(total)}">
      <button class="quiet" aria-label="${messages.ownerChange} ${id}">${messages.ownerChange}</button></form>
    <form method="post" action="/owner/${id}/cancel">${formToken(visit)}
      <button class="quiet" aria-label="${messages.ownerCancel} ${id}">${messages.ownerCancel}</button></form>
  </div>`;
}

// The key names one decision: a second press on the button repeats this refund and never makes another.
function refundForm(visit: Visit, { id, total, refunded }: ShopOrder): Html {
  const { messages, language } = visit;
  const left = { ...total, minor: total.minor - refunded.minor };
  return html`<div class="owner-forms">
    <form method="post" action="/owner/${id}/refund">${formToken(visit)}
      <input type="hidden" name="key" value="${newOrderKey()}">
      <label for="refund-${id}">${messages.ownerRefundAmount(formatMoney(left, language))}</label>
      <input id="refund-${id}" name="amount" inputmode="decimal" required maxlength="16" value="${decimalText(left)}">
      <button class="quiet" aria-label="${messages.ownerRefund} ${id}">${messages.ownerRefund}</button></form>
  </div>`;
}
