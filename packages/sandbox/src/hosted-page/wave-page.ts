import { randomBytes } from "node:crypto";
import { type WaveChargeDetails, wavePath } from "../charges/mobile-charges.ts";
import { ApiError, notFound } from "../domain/api-error.ts";
import type { HttpResponse } from "../http/http-response.ts";
import { readBranding } from "../network/branding.ts";
import { readOrganization } from "../organizations/organizations.ts";
import { documentResponse, pageHeaders } from "../pages/document.ts";
import { formatAmount } from "../pages/format-amount.ts";
import { type Html, html } from "../pages/html.ts";
import { alertIcon, checkIcon, phoneIcon } from "../pages/icons.ts";
import { type Language, pickLanguage } from "../pages/language.ts";
import { createBrand, type PageBrand } from "../pages/page-brand.ts";
import type { PageRequest } from "../pages/page-request.ts";
import { completeTransaction, failTransaction } from "../payments/payment-outcomes.ts";
import { readTransaction } from "../payments/transactions.ts";
import { inDatabaseTransaction, type Service } from "../runtime/service.ts";
import type { ChargeRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";
import { errorPage } from "./ended-pages.ts";
import { english } from "./texts/english.ts";
import { french } from "./texts/french.ts";
import type { HostedPageTexts } from "./texts/texts.ts";

const textsByLanguage: Record<Language, HostedPageTexts> = { fr: french, en: english };

type WavePageView = {
  texts: HostedPageTexts;
  brand: PageBrand;
  amount: string;
  transaction: TransactionRow;
  details: WaveChargeDetails;
  nonce: string;
};

/** Handles the page of `wave_launch_url`, which simulates the Wave app. Never throws: every error becomes a page. */
export async function handleWavePageRequest(service: Service, request: PageRequest): Promise<HttpResponse> {
  const nonce = randomBytes(16).toString("base64url");
  const texts = textsByLanguage[pickLanguage(request.query.get("lang"), request.headers["accept-language"])];
  try {
    const charge = await readWaveCharge(service.store.database, request.path.slice(1));
    if (request.method === "POST") return await applyAnswer(service, charge, request, nonce);
    return showCharge(await buildView(service, charge, texts, nonce));
  } catch (error) {
    const isNotFound = error instanceof ApiError && error.code === "not_found";
    if (!isNotFound && error instanceof Error) process.emitWarning(error);
    return errorPage(texts, nonce, isNotFound ? 404 : 500);
  }
}

/** Handles the answer of the customer. When the button was pressed twice, the first answer counts. */
async function applyAnswer(
  service: Service,
  charge: ChargeRow,
  { form, path }: PageRequest,
  nonce: string,
): Promise<HttpResponse> {
  const isApproved = form.get("answer") === "approve";
  const updatedTransaction = await inDatabaseTransaction(service, async (context) => {
    const transaction = await readTransaction(context.database, charge.transaction_id);
    if (transaction.status !== "pending") return transaction;
    return isApproved
      ? completeTransaction(context, transaction)
      : failTransaction(context, transaction, "customer_rejected");
  });
  const { successUrl, errorUrl }: WaveChargeDetails = JSON.parse(charge.details_json);
  const returnUrl = updatedTransaction.status === "completed" ? successUrl : errorUrl;
  return { status: 303, headers: { ...pageHeaders(nonce), Location: returnUrl ?? wavePath + path }, body: "" };
}

function showCharge(view: WavePageView): HttpResponse {
  const { texts, brand, amount, transaction, details } = view;
  const { status } = transaction;
  if (status === "pending") return page(view, texts.challengeTitle, approvalForm(view));
  const isPaid = status === "completed" || status === "refunded";
  const [title, text, icon, linkUrl] = isPaid
    ? [texts.paidTitle, texts.paidText, checkIcon, details.successUrl]
    : [texts.declinedTitle, texts.noneCharged, alertIcon, details.errorUrl];
  const main = html`<div class="sheet">
<div class="${isPaid ? "state" : "state late"}">${icon}</div>
<h1>${title}</h1>
<p>${text}</p>
${paymentDetails(texts, brand, amount)}
${linkUrl !== null && html`<a class="button" href="${linkUrl}">${texts.backToShop}</a>`}
</div>`;
  return page(view, title, main);
}

function approvalForm({ texts, brand, amount }: WavePageView): Html {
  return html`<div class="sheet">
<div class="state wait">${phoneIcon}</div>
<h1>${texts.challengeTitle}</h1>
<p>${texts.payTo(brand.name)}</p>
${paymentDetails(texts, brand, amount)}
<form method="post" data-paying-label="${texts.paying}"><input type="hidden" name="answer" value="approve"><button class="button">${texts.approve}</button></form>
<form method="post"><input type="hidden" name="answer" value="refuse"><button class="button quiet">${texts.refuse}</button></form>
</div>`;
}

function paymentDetails(texts: HostedPageTexts, brand: PageBrand, amount: string): Html {
  return html`<dl><div><dt>${texts.rows.merchant}</dt><dd>${brand.name}</dd></div>
<div><dt>${texts.rows.amount}</dt><dd>${amount}</dd></div>
<div><dt>${texts.rows.method}</dt><dd>${texts.methods.wave}</dd></div></dl>`;
}

function page({ texts, nonce, brand, amount }: WavePageView, title: string, main: Html): HttpResponse {
  const switchUrl = `?lang=${texts.language === "fr" ? "en" : "fr"}`;
  return documentResponse({ texts, nonce, title: `${title} · ${amount}`, brand, switchUrl, theme: "calm", main });
}

async function buildView(
  service: Service,
  charge: ChargeRow,
  texts: HostedPageTexts,
  nonce: string,
): Promise<WavePageView> {
  const { database } = service.store;
  const transaction = await readTransaction(database, charge.transaction_id);
  const organization = await readOrganization(database, charge.organization_id);
  const brand = createBrand(organization, await readBranding(database, organization));
  const { gross_amount, currency_code } = transaction;
  const amount = formatAmount(gross_amount, currency_code, texts.language, service.settings.amountExponents);
  return { texts, brand, amount, transaction, details: JSON.parse(charge.details_json), nonce };
}

async function readWaveCharge(database: SandboxDatabase, chargeId: string): Promise<ChargeRow> {
  const row = await database
    .selectFrom("charges")
    .selectAll()
    .where("charge_id", "=", chargeId)
    .where("rail", "=", "wave")
    .executeTakeFirst();
  if (row === undefined) throw notFound("Charge");
  return row;
}
