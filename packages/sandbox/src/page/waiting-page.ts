import type { Answer } from "../api/answer.ts";
import type { TransactionRow } from "../storage/tables.ts";
import { documentAnswer } from "./document.ts";
import { html } from "./html.ts";
import { bankIcon, phoneIcon } from "./icons.ts";
import { switchUrl } from "./switch-url.ts";
import type { View } from "./view.ts";

const refreshSeconds = 4;

/** Mobile money that waits for the shopper's telephone. Reloads itself, with or without JavaScript. */
export function waitingPage(view: View, transaction: TransactionRow): Answer {
  const { words, amount, successUrl } = view;
  const phone = `•••• ${transaction.last_digits ?? ""}`.trim();
  const page = `/waiting/${transaction.public_id}`;
  const main = html`<div class="sheet" data-state="${view.address(`/state/${transaction.public_id}`)}">
<div class="state wait">${phoneIcon}</div>
<h1>${words.waitingTitle}</h1>
<ol>${words.waitingSteps(amount, phone).map((step) => html`<li>${step}</li>`)}</ol>
<p class="status" role="status" aria-live="polite">${words.waitingStatus}</p>
<a class="button quiet" href="${view.address(page)}">${words.checkNow}</a>
${successUrl !== null && html`<p class="hint">${words.waitingHint}</p><a class="button quiet" href="${successUrl}">${words.backToShop}</a>`}
<p class="leave"><a href="${view.address("", "other=1")}">${words.otherMethod}</a></p>
</div>`;
  return documentAnswer({
    words,
    nonce: view.nonce,
    title: `${words.waitingTitle} · ${amount}`,
    shop: view.shop,
    switchUrl: switchUrl(view, page),
    look: "calm",
    // With JavaScript the page asks by itself and reloads only when there is news.
    head: html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`,
    main,
  });
}

/** Stands for the bank's own page (3-D Secure). */
export function challengePage(view: View, transaction: TransactionRow): Answer {
  const { words, amount, merchant } = view;
  const page = `/challenge/${transaction.public_id}`;
  const main = html`<div class="sheet">
<div class="state">${bankIcon}</div>
<h1>${words.challengeTitle}</h1>
<p>${words.challengeText(amount, merchant)}</p>
<dl><div><dt>${words.rows.merchant}</dt><dd>${merchant}</dd></div>
<div><dt>${words.rows.amount}</dt><dd>${amount}</dd></div>
<div><dt>${words.rows.method}</dt><dd>${words.methods.card} •••• ${transaction.last_digits}</dd></div></dl>
<form method="post" action="${view.address(page)}" data-once="${words.paying}"><input type="hidden" name="answer" value="approve"><button class="button">${words.approve}</button></form>
<form method="post" action="${view.address(page)}"><input type="hidden" name="answer" value="refuse"><button class="button quiet">${words.refuse}</button></form>
</div>`;
  return documentAnswer({
    words,
    nonce: view.nonce,
    title: `${words.challengeTitle} · ${amount}`,
    shop: view.shop,
    switchUrl: switchUrl(view, page),
    look: "calm",
    main,
  });
}
