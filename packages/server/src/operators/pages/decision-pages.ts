import { explainFinding, formatMoney, type Money, type Payment } from "@tillkit/core";
import { hostLimits } from "../../limits.ts";
import { type Html, html } from "../../pages/html.ts";
import { formToken, type OperatorPage } from "./layout.ts";
import type { Look } from "./look.ts";
import { outcome, paymentLink } from "./parts.ts";

type Query = Readonly<Record<string, string>>;

/** Says exactly what is waived, and asks who waives it. */
export function acceptPage(payment: Payment, query: Query, look: Look): OperatorPage {
  const { decide } = look.words;
  const here = paymentLink(payment.id, look);
  const { finding } = payment;
  const body = html`<h1>${decide.acceptHeading}</h1>
${outcome(query, look)}
<p>${look.words.lists.order} ${payment.ref.orderId} · ${formatMoney(payment.amountDue, look.language)}</p>
<p>${decide.acceptLead}</p>
<p class="card attention"><strong>${finding && explainFinding(finding, look.language)}</strong></p>
<p>${decide.acceptAfter}</p>
<form action="${here}/accept" method="post">${formToken(look)}
<input type="hidden" name="finding" value="${JSON.stringify(finding)}">
${nameField(look)}
<div class="actions"><button>${decide.acceptButton}</button><a class="button second" href="${here}">${decide.back}</a></div>
</form>`;
  return { title: decide.acceptHeading, body, here: null };
}

/** `left`: what will be given back. */
export function refundPage(payment: Payment, left: Money, query: Query, look: Look): OperatorPage {
  const { decide } = look.words;
  const here = paymentLink(payment.id, look);
  const amount = formatMoney(left, look.language);
  const heading = decide.refundHeading(amount);
  const body = html`<h1>${heading}</h1>
${outcome(query, look)}
<p>${look.words.lists.order} ${payment.ref.orderId} · ${payment.ref.storeId}</p>
<p class="card attention">${decide.refundLead}</p>
<form action="${here}/refund" method="post">${formToken(look)}
${nameField(look)}
<div class="actions"><button>${decide.refundButton(amount)}</button><a class="button second" href="${here}">${decide.back}</a></div>
</form>`;
  return { title: heading, body, here: null };
}

/** The token is everybody's: who decides says so. */
function nameField({ words: { decide } }: Look): Html {
  return html`<div class="field"><label for="by">${decide.name}</label><input id="by" name="by" required maxlength="${hostLimits.operatorNameLength}" autocomplete="name" aria-describedby="by-hint"><p class="hint" id="by-hint">${decide.nameHint}</p></div>`;
}
