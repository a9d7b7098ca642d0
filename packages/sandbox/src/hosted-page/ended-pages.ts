import { paymentMethods } from "../domain/payment-methods.ts";
import type { HttpResponse } from "../http/http-response.ts";
import { documentResponse } from "../pages/document.ts";
import { type Html, html } from "../pages/html.ts";
import { alertIcon, checkIcon, clockIcon } from "../pages/icons.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";
import { switchUrl } from "./language-url.ts";
import type { SessionView } from "./session-view.ts";
import type { HostedPageTexts } from "./texts/texts.ts";

/** The page of a completed session: a receipt, with a link back to the shop when the session has a success_url. */
export function paidPage(view: SessionView, transaction: TransactionRow | null): HttpResponse {
  const { texts, successUrl } = view;
  const [title, text] =
    successUrl === null ? [texts.receiptTitle, texts.receiptText] : [texts.paidTitle, texts.paidText];
  const main = html`<div class="sheet">
<div class="state">${checkIcon}</div>
<h1>${title}</h1>
<p>${text}</p>
${receipt(view, transaction)}
${successUrl !== null && html`<a class="button" href="${successUrl}">${texts.backToShop}</a>`}
</div>`;
  return calmPage(view, title, main);
}

/** The page of an expired session, with a link back to the shop. */
export function expiredPage(view: SessionView): HttpResponse {
  const { texts, cancelUrl } = view;
  const main = html`<div class="sheet">
<div class="state late">${clockIcon}</div>
<h1>${texts.expiredTitle}</h1>
<p>${texts.expiredText} ${texts.noneCharged}</p>
${cancelUrl !== null && html`<a class="button" href="${cancelUrl}">${texts.backToShop}</a>`}
</div>`;
  return calmPage(view, texts.expiredTitle, main);
}

/** The page for an unknown session (404) or an internal error (500). */
export function errorPage(texts: HostedPageTexts, nonce: string, status: 404 | 500): HttpResponse {
  const [title, text] =
    status === 404 ? [texts.missingTitle, texts.missingText] : [texts.troubleTitle, texts.troubleText];
  const main = html`<div class="sheet"><div class="state late">${alertIcon}</div><h1>${title}</h1><p>${text}</p></div>`;
  const other = texts.language === "fr" ? "en" : "fr";
  return documentResponse({
    texts,
    nonce,
    title,
    brand: null,
    switchUrl: `?lang=${other}`,
    theme: "calm",
    main,
    status,
  });
}

function calmPage(view: SessionView, title: string, main: Html): HttpResponse {
  return documentResponse({
    texts: view.texts,
    nonce: view.nonce,
    title: `${title} · ${view.merchant}`,
    brand: view.brand,
    switchUrl: switchUrl(view),
    theme: "calm",
    main,
  });
}

function receipt({ texts, amount, merchant, details }: SessionView, transaction: TransactionRow | null): Html {
  const method = paymentMethods.find((name) => name.toUpperCase() === transaction?.provider_code);
  const lastDigits = transaction?.last_digits ?? null;
  const digits = lastDigits === null ? "" : ` •••• ${lastDigits}`;
  const row = (name: string, value: string | null | undefined) =>
    value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl>${row(texts.rows.amount, amount)}${row(texts.rows.merchant, merchant)}${row(texts.rows.title, details.title)}
${row(texts.rows.method, method && texts.methods[method] + digits)}${row(texts.rows.date, transaction && texts.date(transaction.updated_at))}
${row(texts.rows.reference, transaction?.public_id)}</dl>`;
}
