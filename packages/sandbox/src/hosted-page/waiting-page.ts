import type { HttpResponse } from "../http/http-response.ts";
import { documentResponse } from "../pages/document.ts";
import { html } from "../pages/html.ts";
import { bankIcon, phoneIcon } from "../pages/icons.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";
import { switchUrl } from "./language-url.ts";
import type { SessionView } from "./session-view.ts";

const refreshSeconds = 4;

/** The page of a mobile money payment that waits for approval on the phone. It reloads with and without JavaScript. */
export function waitingPage(view: SessionView, transaction: TransactionRow): HttpResponse {
  const { texts, amount, successUrl } = view;
  const phone = `•••• ${transaction.last_digits ?? ""}`.trim();
  const page = `/waiting/${transaction.public_id}`;
  const main = html`<div class="sheet" data-status-url="${view.pageUrl(`/state/${transaction.public_id}`)}">
<div class="state wait">${phoneIcon}</div>
<h1>${texts.waitingTitle}</h1>
<ol>${texts.waitingSteps(amount, phone).map((step) => html`<li>${step}</li>`)}</ol>
<p class="status" role="status" aria-live="polite">${texts.waitingStatus}</p>
<a class="button quiet" href="${view.pageUrl(page)}">${texts.checkNow}</a>
${successUrl !== null && html`<p class="hint">${texts.waitingHint}</p><a class="button quiet" href="${successUrl}">${texts.backToShop}</a>`}
<p class="leave"><a href="${view.pageUrl("", "other=1")}">${texts.otherMethod}</a></p>
</div>`;
  return documentResponse({
    texts,
    nonce: view.nonce,
    title: `${texts.waitingTitle} · ${amount}`,
    brand: view.brand,
    switchUrl: switchUrl(view, page),
    theme: "calm",
    // With JavaScript the page polls the status and reloads only after a change.
    head: html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`,
    main,
  });
}

/** Simulates the page of the cardholder's bank (3-D Secure). */
export function challengePage(view: SessionView, transaction: TransactionRow): HttpResponse {
  const { texts, amount, merchant } = view;
  const page = `/challenge/${transaction.public_id}`;
  const main = html`<div class="sheet">
<div class="state">${bankIcon}</div>
<h1>${texts.challengeTitle}</h1>
<p>${texts.challengeText(amount, merchant)}</p>
<dl><div><dt>${texts.rows.merchant}</dt><dd>${merchant}</dd></div>
<div><dt>${texts.rows.amount}</dt><dd>${amount}</dd></div>
<div><dt>${texts.rows.method}</dt><dd>${texts.methods.card}${transaction.last_digits !== null && ` •••• ${transaction.last_digits}`}</dd></div></dl>
<form method="post" action="${view.pageUrl(page)}" data-paying-label="${texts.paying}"><input type="hidden" name="answer" value="approve"><button class="button">${texts.approve}</button></form>
<form method="post" action="${view.pageUrl(page)}"><input type="hidden" name="answer" value="refuse"><button class="button quiet">${texts.refuse}</button></form>
</div>`;
  return documentResponse({
    texts,
    nonce: view.nonce,
    title: `${texts.challengeTitle} · ${amount}`,
    brand: view.brand,
    switchUrl: switchUrl(view, page),
    theme: "calm",
    main,
  });
}
