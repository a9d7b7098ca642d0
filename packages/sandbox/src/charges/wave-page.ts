import { randomBytes } from "node:crypto";
import type { Answer } from "../api/answer.ts";
import { brandingOf } from "../network/branding.ts";
import { amountText } from "../page/amount-text.ts";
import { documentAnswer, pageHeaders } from "../page/document.ts";
import { lostPage } from "../page/ended-pages.ts";
import { type Html, html } from "../page/html.ts";
import { alertIcon, checkIcon, phoneIcon } from "../page/icons.ts";
import { type Language, pickLanguage } from "../page/language.ts";
import { type Shop, shopOf } from "../page/shop.ts";
import type { PageRequest } from "../page/visit.ts";
import type { Words } from "../page/words.ts";
import { english } from "../page/words-english.ts";
import { french } from "../page/words-french.ts";
import { readOrganization } from "../payments/organizations.ts";
import { completeTransaction, failTransaction, readTransaction } from "../payments/transactions.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import { changeState, type Service } from "../service/service.ts";
import type { ChargeRow } from "../storage/money-tables.ts";
import type { Rows } from "../storage/open-store.ts";
import type { TransactionRow } from "../storage/tables.ts";
import { type WaveTerms, wavePath } from "./mobile-charges.ts";

const wordsOf: Record<Language, Words> = { fr: french, en: english };

type View = {
  words: Words;
  shop: Shop;
  amount: string;
  transaction: TransactionRow;
  terms: WaveTerms;
  nonce: string;
};

/** Stands for the app of Wave: what `wave_launch_url` opens. Never throws: what goes wrong becomes a page. */
export async function answerWavePage(service: Service, request: PageRequest): Promise<Answer> {
  const nonce = randomBytes(16).toString("base64url");
  const words = wordsOf[pickLanguage(request.query.get("lang"), request.headers["accept-language"])];
  try {
    const charge = await waveCharge(service.store.rows, request.path.slice(1));
    if (request.method === "POST") return await answerCustomer(service, charge, request, nonce);
    return showCharge(await viewOf(service, charge, words, nonce));
  } catch (error) {
    const lost = error instanceof Refusal && error.code === "not_found";
    if (!lost && error instanceof Error) process.emitWarning(error);
    return lostPage(words, nonce, lost ? 404 : 500);
  }
}

/** The customer answered; pressed twice, the first answer counts. */
async function answerCustomer(
  service: Service,
  charge: ChargeRow,
  { form, path }: PageRequest,
  nonce: string,
): Promise<Answer> {
  const approved = form.get("answer") === "approve";
  const ended = await changeState(service, async (change) => {
    const transaction = await readTransaction(change.rows, charge.transaction_id);
    if (transaction.status !== "pending") return transaction;
    return approved
      ? completeTransaction(change, transaction)
      : failTransaction(change, transaction, "customer_rejected");
  });
  const { successUrl, errorUrl }: WaveTerms = JSON.parse(charge.terms_json);
  const onward = ended.status === "completed" ? successUrl : errorUrl;
  return { status: 303, headers: { ...pageHeaders(nonce), Location: onward ?? wavePath + path }, body: "" };
}

function showCharge(view: View): Answer {
  const { words, shop, amount, transaction, terms } = view;
  const { status } = transaction;
  if (status === "pending") return page(view, words.challengeTitle, question(view));
  const paid = status === "completed" || status === "refunded";
  const [title, text, icon, way] = paid
    ? [words.paidTitle, words.paidText, checkIcon, terms.successUrl]
    : [words.declinedTitle, words.noneCharged, alertIcon, terms.errorUrl];
  const main = html`<div class="sheet">
<div class="${paid ? "state" : "state late"}">${icon}</div>
<h1>${title}</h1>
<p>${text}</p>
${facts(words, shop, amount)}
${way !== null && html`<a class="button" href="${way}">${words.backToShop}</a>`}
</div>`;
  return page(view, title, main);
}

function question({ words, shop, amount }: View): Html {
  return html`<div class="sheet">
<div class="state wait">${phoneIcon}</div>
<h1>${words.challengeTitle}</h1>
<p>${words.payTo(shop.name)}</p>
${facts(words, shop, amount)}
<form method="post" data-once="${words.paying}"><input type="hidden" name="answer" value="approve"><button class="button">${words.approve}</button></form>
<form method="post"><input type="hidden" name="answer" value="refuse"><button class="button quiet">${words.refuse}</button></form>
</div>`;
}

function facts(words: Words, shop: Shop, amount: string): Html {
  return html`<dl><div><dt>${words.rows.merchant}</dt><dd>${shop.name}</dd></div>
<div><dt>${words.rows.amount}</dt><dd>${amount}</dd></div>
<div><dt>${words.rows.method}</dt><dd>${words.methods.wave}</dd></div></dl>`;
}

function page({ words, nonce, shop, amount }: View, title: string, main: Html): Answer {
  const switchUrl = `?lang=${words.language === "fr" ? "en" : "fr"}`;
  return documentAnswer({ words, nonce, title: `${title} · ${amount}`, shop, switchUrl, look: "calm", main });
}

async function viewOf(service: Service, charge: ChargeRow, words: Words, nonce: string): Promise<View> {
  const { rows } = service.store;
  const transaction = await readTransaction(rows, charge.transaction_id);
  const organization = await readOrganization(rows, charge.organization_id);
  const shop = shopOf(organization, await brandingOf(rows, organization));
  const { gross_amount, currency_code } = transaction;
  const amount = amountText(gross_amount, currency_code, words.language, service.settings.amountExponents);
  return { words, shop, amount, transaction, terms: JSON.parse(charge.terms_json), nonce };
}

async function waveCharge(rows: Rows, chargeId: string): Promise<ChargeRow> {
  const row = await rows
    .selectFrom("charges")
    .selectAll()
    .where("charge_id", "=", chargeId)
    .where("rail", "=", "wave")
    .executeTakeFirst();
  if (row === undefined) throw notFound("Charge");
  return row;
}
