import { explainFinding, formatMoney } from "@tillkit/core";
import type { View } from "@tillkit/core/back-office";
import { serverLimits } from "../../limits.ts";
import { type Html, html } from "../../pages/html.ts";
import { disputeCard } from "./dispute-rows.ts";
import { formTokenField } from "./form-fields.ts";
import type { OperatorPage } from "./layout.ts";
import { moneyTable } from "./money-table.ts";
import type { PageContext } from "./page-context.ts";
import { decisionNotice, orderTitle, paymentUrl } from "./rows.ts";

type Query = Readonly<Record<string, string>>;

/** A held payment with its money. */
type DecisionFacts = { readonly view: View; readonly now: number };

/** Shows the exact difference and asks for the name of the person who accepts it. */
export function acceptPage(shown: DecisionFacts, query: Query, context: PageContext): OperatorPage {
  const { payment, seen } = shown.view;
  const { decide } = context.texts;
  const url = paymentUrl(payment.id, context);
  const { finding } = payment;
  const body = html`<p class="back"><a href="${url}">${orderTitle(payment, context)}</a> · ${formatMoney(payment.amountDue, context.language)}</p>
<h1>${decide.acceptHeading}</h1>
${decisionNotice(query, context)}
<p>${decide.acceptLead}</p>
${moneyFacts(shown, context)}
<p class="card attention"><strong>${finding && explainFinding(finding, context.language, "operator")}</strong></p>
<p>${decide.acceptAfter}</p>
<form class="card" action="${url}/accept" method="post">${formTokenField(context)}
<input type="hidden" name="seen" value="${seen}">
${nameField(context)}
<div class="actions"><button>${decide.acceptButton}</button><a class="button second" href="${url}">${decide.back}</a></div>
</form>`;
  return { title: decide.acceptHeading, body, menuItem: "payments" };
}

/** Shows the amount that will be refunded and asks for the name of the person who decides. */
export function refundPage(shown: DecisionFacts, query: Query, context: PageContext): OperatorPage {
  const { payment, sums, seen } = shown.view;
  const [{ available: refundable }] = sums;
  const { decide } = context.texts;
  const url = paymentUrl(payment.id, context);
  const amount = formatMoney(refundable, context.language);
  const heading = decide.refundHeading(amount);
  const body = html`<p class="back"><a href="${url}">${orderTitle(payment, context)}</a> · ${payment.ref.storeId}</p>
<h1>${heading}</h1>
${decisionNotice(query, context)}
${moneyFacts(shown, context)}
<p class="card attention">${decide.refundLead}</p>
<form class="card" action="${url}/refund" method="post">${formTokenField(context)}
<input type="hidden" name="whole" value="yes">
<input type="hidden" name="seen" value="${seen}">
${nameField(context)}
<div class="actions"><button>${decide.refundButton(amount)}</button><a class="button second" href="${url}">${decide.back}</a></div>
</form>`;
  return { title: heading, body, menuItem: "payments" };
}

/** Where the money is, once some of it has left or is disputed, and the disputes. */
function moneyFacts({ view, now }: DecisionFacts, context: PageContext): Html {
  const { sum, movements } = view;
  const isWhole = sum.available.minor === sum.received.minor;
  return html`${!isWhole && moneyTable(sum, context)}${movements.disputes.map((dispute) => disputeCard(dispute, now, context))}`;
}

/** A token with a name shows who decides. For a token without a name the form asks, because operators may share it. */
export function nameField({ texts: { decide }, operator }: PageContext, value = ""): Html {
  if (operator.name !== null) return html`<p>${decide.as(operator.name)}</p>`;
  return html`<div class="field"><label for="by">${decide.name}</label><input id="by" name="by" required value="${value}" maxlength="${serverLimits.maxOperatorNameLength}" autocomplete="name" aria-describedby="by-hint"><p class="hint" id="by-hint">${decide.nameHint}</p></div>`;
}
