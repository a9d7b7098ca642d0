import { type Dispute, type Equation, formatMoney, type Money, type Payment, reportedMoney } from "@tillkit/core";
import { isOpenDispute, isPastDeadline, type TransactionDetails } from "@tillkit/core/ledger";
import { netOf } from "../../export/settled-transactions.ts";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { receiptNumber } from "../../pages/receipt-number.ts";
import { webUrl } from "../../pages/web-url.ts";
import { methodText, paymentTexts } from "../texts/payment-texts.ts";
import type { PageContext } from "./page-context.ts";
import { stateBadge, time, timeIn } from "./rows.ts";

export type PaymentHeader = {
  readonly payment: Payment;
  /** Where the money of the transaction that paid the session is. */
  readonly equation: Equation;
  readonly disputes: readonly Dispute[];
  readonly details: TransactionDetails | null;
  /** The order's page in the shop's back office; null where the shop has none. */
  readonly adminUrl: string | null;
};

/** The amount and the state of a payment, what a caller names it by, the deadline of a dispute, and links to the order and the session. */
export function paymentHeader({ payment, equation, disputes, adminUrl }: PaymentHeader, context: PageContext): Html {
  const { texts, language } = context;
  const pageTexts = paymentTexts[language];
  const { id, environment, amountDue, session, createdAt } = payment;
  const receipt = receiptNumber(id);
  const sessionUrl = payment.state === "open" ? webUrl(session?.url ?? null) : null;
  return html`<p class="amount-line"><b>${formatMoney(amountDue, language)}</b> ${stateBadge(payment.state, context)} ${isInPart(equation) && html`<span class="badge calm">${pageTexts.partlyRefunded}</span> `}${environment === "test" && html`<span class="badge">${texts.payment.test}</span> `}${disputes.filter(isOpenDispute).map((dispute) => disputeNote(dispute, context))}</p>
<p class="small">${time(createdAt, context)}${receipt !== id && ` · ${pageTexts.receipt(receipt)}`}</p>
${headerLinks(adminUrl, sessionUrl, context)}`;
}

/** The shop, how it was paid, and what was received, refunded and left of it. */
export function paymentFigures({ payment, equation, details }: PaymentHeader, context: PageContext): Html {
  const { texts, language } = context;
  const pageTexts = paymentTexts[language];
  const { amountDue, amountReceived, ref } = payment;
  const { returned, available } = equation;
  const fee = reportedMoney(payment, details?.wireFee);
  const net = fee && { ...fee, minor: netOf(equation, fee.minor) };
  const figure = (name: string, value: HtmlValue) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;
  const money = (amount: Money) => formatMoney(amount, language);
  const receivedDiffers = amountReceived !== null && amountReceived.minor !== amountDue.minor;
  return html`<dl class="figures">${figure(texts.payment.store, ref.storeId)}
${figure(pageTexts.method, methodText(details?.method ?? null, language))}
${receivedDiffers && figure(pageTexts.received, money(amountReceived))}
${returned.minor > 0 && figure(pageTexts.refunded, html`${money(returned)}${isInPart(equation) && available.minor > 0 && html` <span class="small">${pageTexts.leftOfRefunds(money(available))}</span>`}`)}
${fee !== null && figure(pageTexts.fee, money(fee))}
${net && figure(pageTexts.net, html`${money(net)} <span class="small">${pageTexts.netHint}</span>`)}
${details?.customerId && html`<div class="wide"><dt>${pageTexts.customer}</dt><dd class="number">${details.customerId}</dd></div>`}</dl>`;
}

function isInPart({ returned, received }: Equation): boolean {
  return returned.minor > 0 && returned.minor < received.minor;
}

/** An open dispute with its deadline, which must be seen first. */
function disputeNote(dispute: Dispute, context: PageContext): Html {
  const { disputes } = context.texts;
  const { evidenceDueBy } = dispute;
  const due =
    evidenceDueBy === null || isPastDeadline(dispute, context.now)
      ? ""
      : ` · ${disputes.dueBy(timeIn(evidenceDueBy, context))}`;
  return html`<span class="badge care">${disputes.one}${due}</span>`;
}

function headerLinks(adminUrl: string | null, sessionUrl: string | null, { language }: PageContext): Html | null {
  if (adminUrl === null && sessionUrl === null) return null;
  const texts = paymentTexts[language];
  return html`<div class="actions">${adminUrl !== null && html`<a href="${adminUrl}" rel="noreferrer">${texts.openInShop}</a>`}${sessionUrl !== null && html`<a href="${sessionUrl}" rel="noreferrer">${texts.openSession}</a>`}</div>`;
}
