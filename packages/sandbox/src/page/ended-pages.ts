import type { Answer } from "../api/answer.ts";
import { methods } from "../payments/methods.ts";
import type { TransactionRow } from "../storage/tables.ts";
import { documentAnswer } from "./document.ts";
import { type Html, html } from "./html.ts";
import { alertIcon, checkIcon, clockIcon } from "./icons.ts";
import { switchUrl } from "./switch-url.ts";
import type { View } from "./view.ts";
import type { Words } from "./words.ts";

/** A completed session: the way back to the shop, or a receipt when the shop named none. */
export function paidPage(view: View, transaction: TransactionRow | null): Answer {
  const { words, successUrl } = view;
  const [title, text] =
    successUrl === null ? [words.receiptTitle, words.receiptText] : [words.paidTitle, words.paidText];
  const main = html`<div class="sheet">
<div class="state">${checkIcon}</div>
<h1>${title}</h1>
<p>${text}</p>
${receipt(view, transaction)}
${successUrl !== null && html`<a class="button" href="${successUrl}">${words.backToShop}</a>`}
</div>`;
  return calm(view, title, main);
}

/** An expired session: the way back to where the order can be started again. */
export function expiredPage(view: View): Answer {
  const { words, cancelUrl } = view;
  const main = html`<div class="sheet">
<div class="state late">${clockIcon}</div>
<h1>${words.expiredTitle}</h1>
<p>${words.expiredText} ${words.noneCharged}</p>
${cancelUrl !== null && html`<a class="button" href="${cancelUrl}">${words.backToShop}</a>`}
</div>`;
  return calm(view, words.expiredTitle, main);
}

/** No session has this address (404), or something broke on our side (500). */
export function lostPage(words: Words, nonce: string, status: 404 | 500): Answer {
  const [title, text] =
    status === 404 ? [words.missingTitle, words.missingText] : [words.troubleTitle, words.troubleText];
  const main = html`<div class="sheet"><div class="state late">${alertIcon}</div><h1>${title}</h1><p>${text}</p></div>`;
  const other = words.language === "fr" ? "en" : "fr";
  return documentAnswer({
    words,
    nonce,
    title,
    shop: null,
    switchUrl: `?lang=${other}`,
    look: "calm",
    main,
    status,
  });
}

function calm(view: View, title: string, main: Html): Answer {
  return documentAnswer({
    words: view.words,
    nonce: view.nonce,
    title: `${title} · ${view.merchant}`,
    shop: view.shop,
    switchUrl: switchUrl(view),
    look: "calm",
    main,
  });
}

function receipt({ words, amount, merchant, terms }: View, transaction: TransactionRow | null): Html {
  const method = methods.find((one) => one.toUpperCase() === transaction?.provider_code);
  const digits = transaction?.last_digits === null ? "" : ` •••• ${transaction?.last_digits}`;
  const row = (name: string, value: string | null | undefined) =>
    value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl>${row(words.rows.amount, amount)}${row(words.rows.merchant, merchant)}${row(words.payment, terms.title)}
${row(words.rows.method, method && words.methods[method] + digits)}${row(words.rows.date, transaction && words.date(transaction.updated_at))}
${row(words.rows.reference, transaction?.public_id)}</dl>`;
}
