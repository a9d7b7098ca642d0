import { explainFinding, findingKey, formatMoney, type Money, type Payment } from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import { type Html, html } from "../../pages/html.ts";
import { formTokenField, type OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { decisionNotice, orderTitle, paymentUrl } from "./rows.ts";

type Query = Readonly<Record<string, string>>;

/** Shows the exact difference and asks for the name of the person who accepts it. */
export function acceptPage(payment: Payment, query: Query, context: PageContext): OperatorPage {
  const { decide } = context.texts;
  const url = paymentUrl(payment.id, context);
  const { finding } = payment;
  const body = html`<h1>${decide.acceptHeading}</h1>
${decisionNotice(query, context)}
<p>${orderTitle(payment, context)} · ${formatMoney(payment.amountDue, context.language)}</p>
<p>${decide.acceptLead}</p>
<p class="card attention"><strong>${finding && explainFinding(finding, context.language)}</strong></p>
<p>${decide.acceptAfter}</p>
<form action="${url}/accept" method="post">${formTokenField(context)}
<input type="hidden" name="finding" value="${finding ? findingKey(finding) : ""}">
${nameField(context)}
<div class="actions"><button>${decide.acceptButton}</button><a class="button second" href="${url}">${decide.back}</a></div>
</form>`;
  return { title: decide.acceptHeading, body, menuItem: null };
}

/** Shows the amount that will be refunded and asks for the name of the person who decides. */
export function refundPage(payment: Payment, refundable: Money, query: Query, context: PageContext): OperatorPage {
  const { decide } = context.texts;
  const url = paymentUrl(payment.id, context);
  const amount = formatMoney(refundable, context.language);
  const heading = decide.refundHeading(amount);
  const body = html`<h1>${heading}</h1>
${decisionNotice(query, context)}
<p>${orderTitle(payment, context)} · ${payment.ref.storeId}</p>
<p class="card attention">${decide.refundLead}</p>
<form action="${url}/refund" method="post">${formTokenField(context)}
${nameField(context)}
<div class="actions"><button>${decide.refundButton(amount)}</button><a class="button second" href="${url}">${decide.back}</a></div>
</form>`;
  return { title: heading, body, menuItem: null };
}

/** A token with a name shows who decides. For a token without a name the form asks, because operators may share it. */
export function nameField({ texts: { decide }, operator }: PageContext, value = ""): Html {
  if (operator.name !== null) return html`<p>${decide.as(operator.name)}</p>`;
  return html`<div class="field"><label for="by">${decide.name}</label><input id="by" name="by" required value="${value}" maxlength="${serverLimits.maxOperatorNameLength}" autocomplete="name" aria-describedby="by-hint"><p class="hint" id="by-hint">${decide.nameHint}</p></div>`;
}
