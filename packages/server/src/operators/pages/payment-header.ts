import { amountPaid, formatMoney, type Money, type Payment, type Refund, type TransactionDetails } from "@tillkit/core";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { webUrl } from "../../pages/web-url.ts";
import { methodText, paymentTexts } from "../texts/payment-texts.ts";
import type { PageContext } from "./page-context.ts";
import { stateBadge } from "./rows.ts";

export type PaymentHeader = {
  readonly payment: Payment;
  readonly refunds: readonly Refund[];
  readonly details: TransactionDetails | null;
  /** The order's page in the shop's back office; null where the shop has none. */
  readonly adminUrl: string | null;
};

/** The amount, the state and the figures of a payment, and links to the order and the session. */
export function paymentHeader({ payment, refunds, details, adminUrl }: PaymentHeader, context: PageContext): Html {
  const { texts, language } = context;
  const pageTexts = paymentTexts[language];
  const { environment, amountDue, amountReceived, session, ref } = payment;
  const refunded = sumOfCompleted(payment, refunds);
  const left = leftInPart(payment, refunded);
  const fee = fromWire(payment, details?.wireFee ?? null);
  const net = netOf(payment, details, refunded);
  const figure = (name: string, value: HtmlValue) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;
  const money = (amount: Money) => formatMoney(amount, language);
  const receivedDiffers = amountReceived !== null && amountReceived.minor !== amountDue.minor;
  const sessionUrl = payment.state === "open" ? webUrl(session?.url ?? null) : null;
  return html`<p class="amount-line"><b>${money(amountDue)}</b> ${stateBadge(payment.state, context)} ${left && html`<span class="badge calm">${pageTexts.partlyRefunded}</span> `}${environment === "test" ? html`<span class="badge">${texts.payment.test}</span>` : html`<span class="badge">${pageTexts.live}</span>`}</p>
<dl class="figures">${figure(texts.payment.store, ref.storeId)}
${figure(pageTexts.method, methodText(details?.method ?? null, language))}
${receivedDiffers && figure(pageTexts.received, money(amountReceived))}
${refunded.minor > 0 && figure(pageTexts.refunded, html`${money(refunded)}${left && html` <span class="small">${pageTexts.leftOfRefunds(money(left))}</span>`}`)}
${fee !== null && figure(pageTexts.fee, money(fee))}
${net !== null && figure(pageTexts.net, html`${signedMoney(net, context)} <span class="small">${pageTexts.netHint}</span>`)}
${details?.customerId && figure(pageTexts.customer, html`<span class="number">${details.customerId}</span>`)}</dl>
${headerLinks(adminUrl, sessionUrl, context)}`;
}

function headerLinks(adminUrl: string | null, sessionUrl: string | null, { language }: PageContext): Html | null {
  if (adminUrl === null && sessionUrl === null) return null;
  const texts = paymentTexts[language];
  return html`<div class="actions">${adminUrl !== null && html`<a href="${adminUrl}" rel="noreferrer">${texts.openInShop}</a>`}${sessionUrl !== null && html`<a href="${sessionUrl}" rel="noreferrer">${texts.openSession}</a>`}</div>`;
}

/** What remains after a partial refund; null without refunds and after a full refund. */
function leftInPart(payment: Payment, refunded: Money): Money | null {
  const left = { ...refunded, minor: amountPaid(payment).minor - refunded.minor };
  return refunded.minor > 0 && left.minor > 0 ? left : null;
}

function sumOfCompleted(payment: Payment, refunds: readonly Refund[]): Money {
  const completed = refunds.filter(({ state }) => state === "completed");
  return { ...amountPaid(payment), minor: completed.reduce((sum, { amount }) => sum + amount.minor, 0) };
}

// The service reports the net amount before refunds. After a full refund the result is negative: the merchant still paid the fee.
function netOf(payment: Payment, details: TransactionDetails | null, refunded: Money): Money | null {
  const net = fromWire(payment, details?.wireNet ?? null);
  return net === null ? null : { ...net, minor: net.minor - refunded.minor };
}

function signedMoney(amount: Money, { language }: PageContext): string {
  const text = formatMoney({ ...amount, minor: Math.abs(amount.minor) }, language);
  return amount.minor < 0 ? `−${text}` : text;
}

// The payment's own amounts give the factor between the service's unit and minor units. An inexact result is left out.
function fromWire({ amountDue, wireAmount }: Payment, wire: number | null): Money | null {
  if (wire === null || wireAmount === 0) return null;
  const minor = (wire * amountDue.minor) / wireAmount;
  return Number.isSafeInteger(minor) ? { minor, currency: amountDue.currency } : null;
}
