import type { Environment, Language } from "@tillkit/core";
import { REFUND_NOT_RECORDED } from "@tillkit/core/back-office";
import { type Html, html } from "@tillkit/server";
import type { AppContext } from "../app-context.ts";
import { PATHS, publicPath } from "../config/paths.ts";
import { shopifyLimits } from "../limits.ts";
import type { OwnerNotice } from "../records/owner-notices.ts";
import type { Shop } from "../records/shops.ts";
import type { DeadJob } from "../shops/dead-jobs.ts";
import { ENVIRONMENTS, storedKeys, webhookAddress } from "../shops/service-keys.ts";
import type { OwnerTexts } from "../texts/owner-texts.ts";
import { ownerTextsOf } from "../texts/owner-texts-of.ts";
import { lookFields } from "./look-fields.ts";
import { gatewayFields, whatWorksNow } from "./order-fields.ts";
import { createFormToken } from "./owner-session.ts";

/** What the last form did, as the parameter `done` in the URL of the page names it. */
export type DoneCode = keyof OwnerTexts["done"];

/** The result of the last form, which the page shows at its top. */
export type FormResult =
  | { readonly status: DoneCode }
  | { readonly status: "problem"; readonly texts: readonly string[] }
  | null;

/** What the page shows beside the form. */
export type SettingsState = {
  readonly shop: Shop;
  readonly deadJobs: readonly DeadJob[];
  /** Our version of Shopify's API when Shopify no longer supports it, else null. */
  readonly unsupportedVersion: string | null;
  readonly result: FormResult;
};

/** The settings of one shop. The page never shows a stored key. */
export async function settingsBody(context: AppContext, language: Language, state: SettingsState): Promise<Html> {
  const { shop, deadJobs, unsupportedVersion, result } = state;
  const texts = ownerTextsOf(language);
  const keys = await storedKeys(context, shop.domain);
  const notices = await context.notices.list(shop.domain, shopifyLimits.ownerNotices);
  const isOffsite = context.config.app.mode === "offsite";
  return html`<p>${texts.lead}</p>
<p class="small">${shop.domain}</p>
${result !== null && result.status !== "problem" && banner(NOTHING_TO_DO.has(result.status) ? "success" : "warning", [texts.done[result.status]], "status")}
${result?.status === "problem" && banner("critical", result.texts, "alert")}
${shop.reconnectReason !== null && banner("warning", [texts.reconnect])}
${unsupportedVersion !== null && banner("warning", [texts.unsupportedVersion(unsupportedVersion)])}
${isOffsite && shop.ready && html`<s-section class="polaris"><p>${texts.next}</p><p><a class="button second" href="${activationUrl(context, shop.domain)}">${texts.activate}</a></p></s-section>`}
${shop.deniedOperation !== null && banner("warning", [texts.accessDenied(shop.deniedOperation)])}
${!isOffsite && whatWorksNow(shop, keys, texts)}
<form method="post" autocomplete="off">
<input type="hidden" name="form" value="${createFormToken(context, shop.domain)}">
${ENVIRONMENTS.map((environment) => keyFields(context, shop, environment, keys[environment], texts))}
${!isOffsite && gatewayFields(shop, texts)}
${lookFields(shop, texts)}
<s-section class="polaris"><p><label><input type="checkbox" name="paused" value="yes"${shop.paused && html` checked`}> ${texts.paused}</label></p>
<p class="hint">${texts.pausedHint}</p></s-section>
<p class="actions"><button name="do" value="save">${texts.save}</button></p>
</form>
${ENVIRONMENTS.map((environment) => keys[environment] && html`<form method="post" id="remove_${environment}"><input type="hidden" name="form" value="${createFormToken(context, shop.domain)}"></form>`)}
${deadJobs.length > 0 && html`<h2>${texts.attention}</h2>${deadJobs.map((job) => deadJobCard(context, shop, job, texts))}`}
<h2>${texts.noticesHeading}</h2>
${notices.length === 0 ? html`<p>${texts.noNotices}</p>` : html`<ul class="rows">${notices.map((notice) => noticeRow(context, notice, texts))}</ul>`}`;
}

type Tone = "success" | "warning" | "critical";

/** `role`: how a screen reader announces the result of a form; without it the banner is only read in its place. */
function banner(tone: Tone, sentences: readonly string[], role?: "status" | "alert"): Html {
  const paragraphs = sentences.map((sentence) => html`<p>${sentence}</p>`);
  return html`<div${role && html` role="${role}"`}><s-banner class="polaris" tone="${tone}">${paragraphs}</s-banner></div>`;
}

function noticeRow({ config }: AppContext, { kind, orderId, text, orders, at }: OwnerNotice, texts: OwnerTexts): Html {
  const time = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const file = orders && `${publicPath(config, PATHS.customerData)}?orders=${orders.join(",")}`;
  return html`<li><div class="row"><s-badge>${texts.notices[kind]}</s-badge><span class="number">${orderId}</span><span class="time">${time} UTC</span></div><p>${text}</p>${file !== undefined && html`<p><a href="${file}" download>${texts.dataFile}</a></p>`}</li>`;
}

/** Results after which the owner has nothing more to do. */
const NOTHING_TO_DO: ReadonlySet<DoneCode> = new Set(["saved", "retried", "ended"]);

/** The page of Shopify on which the owner activates the payment method and its test mode. */
export function activationUrl({ oauth }: AppContext, shop: string): string {
  return `${oauth.shopUrl(shop)}/services/payments_partners/gateways/${oauth.clientId}/settings`;
}

function keyFields(
  context: AppContext,
  { domain }: Shop,
  environment: Environment,
  isSet: boolean,
  texts: OwnerTexts,
): Html {
  const { heading, hint } = texts.modes[environment];
  const key = `${environment}Key`;
  const secret = `${environment}Secret`;
  return html`<s-section class="polaris"><h2>${heading}</h2><p class="small">${hint}</p>
<p><s-badge tone="${isSet ? "success" : "caution"}">${isSet ? texts.isSet : texts.isNotSet}</s-badge></p>
<p>${texts.webhookAddress}<br><span class="number">${webhookAddress(context, domain, environment)}</span></p>
<div class="field"><label for="${key}">${texts.apiKey}</label><input id="${key}" name="${key}" type="password" maxlength="200" autocomplete="off" placeholder="svc_sk_${environment}_…"></div>
<div class="field"><label for="${secret}">${texts.webhookSecret}</label><input id="${secret}" name="${secret}" type="password" maxlength="200" autocomplete="off" placeholder="whsec_…"><p class="hint">${texts.webhookSecretHint}</p></div>
${isSet && html`<p class="hint">${texts.keepKey}</p><p class="actions"><button class="second" form="remove_${environment}" name="do" value="remove_${environment}">${texts.removeKey}</button></p>`}</s-section>`;
}

function deadJobCard(context: AppContext, { domain }: Shop, { key, reason, about }: DeadJob, texts: OwnerTexts): Html {
  const text = texts.deadJobs[reason](about);
  const [value, label] =
    reason === REFUND_NOT_RECORDED
      ? (["recorded", texts.recordedByHand] as const)
      : (["retry", texts.tryAgain] as const);
  return html`<form method="post" class="card attention"><p>${text}</p><input type="hidden" name="form" value="${createFormToken(context, domain)}"><input type="hidden" name="key" value="${key}"><p class="actions"><button class="second" name="do" value="${value}">${label}</button></p></form>`;
}
