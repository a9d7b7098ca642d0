import type { Environment, Language } from "@tillkit/core";
import { type Html, html } from "@tillkit/server";
import type { Desk } from "../app/desk.ts";
import { shopifyLimits } from "../limits.ts";
import type { Shop } from "../shop/shops.ts";
import { formToken } from "./owner-session.ts";
import type { ParkedWork } from "./parked-work.ts";
import { ENVIRONMENTS, keysOf, webhookAddress } from "./shop-keys.ts";
import { type OwnerWords, ownerWords } from "./words.ts";

export type SettingsNews =
  | { readonly say: "saved" | "retried" }
  | { readonly say: "problem"; readonly texts: readonly string[] }
  | null;

/** What the page shows beside the form. */
export type SettingsState = {
  readonly shop: Shop;
  readonly parked: readonly ParkedWork[];
  /** Our version of Shopify's API when Shopify no longer supports it, else null. */
  readonly sunset: string | null;
  readonly news: SettingsNews;
};

/** The settings of one shop. No key that is kept is ever shown again. */
export async function settingsBody(desk: Desk, language: Language, state: SettingsState): Promise<Html> {
  const { shop, parked, sunset, news } = state;
  const words = ownerWords(language);
  const keys = await keysOf(desk, shop.domain);
  const lines = await desk.lines.list(shop.domain, shopifyLimits.ownerLines);
  const isOffsite = desk.config.app.mode === "offsite";
  return html`<p>${words.lead}</p>
<p class="small">${shop.domain}</p>
${(news?.say === "saved" || news?.say === "retried") && html`<p class="card good" role="status">${words[news.say]}</p>`}
${news?.say === "problem" && html`<div class="card care" role="alert">${news.texts.map((text) => html`<p>${text}</p>`)}</div>`}
${shop.trouble !== null && html`<p class="card care">${words.trouble}</p>`}
${sunset !== null && html`<p class="card care">${words.sunset(sunset)}</p>`}
${isOffsite && shop.ready && html`<div class="card"><p>${words.next}</p><p><a class="button second" href="${activationUrl(desk, shop.domain)}">${words.activate}</a></p></div>`}
<form method="post" autocomplete="off">
<input type="hidden" name="form" value="${formToken(desk, shop.domain)}">
${ENVIRONMENTS.map((environment) => keyFields(desk, shop, environment, keys[environment], words))}
${!isOffsite && gatewayField(shop, words)}
<p><label><input type="checkbox" name="paused" value="yes"${shop.paused && html` checked`}> ${words.paused}</label></p>
<p class="hint">${words.pausedHint}</p>
<p class="actions"><button name="do" value="save">${words.save}</button></p>
</form>
${parked.length > 0 && html`<h2>${words.attention}</h2>${parked.map((work) => parkedCard(desk, shop, work, words))}`}
<h2>${words.linesHeading}</h2>
${lines.length === 0 ? html`<p>${words.noLines}</p>` : html`<ul class="rows">${lines.map(({ kind, orderId, text, at }) => html`<li><div class="row"><span class="badge">${words.lines[kind]}</span><span class="number">${orderId}</span><span class="time">${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC</span></div><p>${text}</p></li>`)}</ul>`}`;
}

/** Where Shopify lets the owner activate the payment method, and its test mode. */
export function activationUrl({ oauth }: Desk, shop: string): string {
  return `${oauth.originOf(shop)}/services/payments_partners/gateways/${oauth.clientId}/settings`;
}

function keyFields(desk: Desk, { domain }: Shop, environment: Environment, isSet: boolean, words: OwnerWords): Html {
  const { heading, hint } = words.modes[environment];
  const [key, secret] = [`${environment}Key`, `${environment}Secret`];
  return html`<section class="card"><h2>${heading}</h2><p class="small">${hint}</p>
<p><span class="badge ${isSet ? "good" : "care"}">${isSet ? words.isSet : words.isNotSet}</span></p>
<p>${words.webhookAddress}<br><span class="number">${webhookAddress(desk, domain, environment)}</span></p>
<div class="field"><label for="${key}">${words.apiKey}</label><input id="${key}" name="${key}" type="password" maxlength="200" autocomplete="off" placeholder="svc_sk_${environment}_…"></div>
<div class="field"><label for="${secret}">${words.webhookSecret}</label><input id="${secret}" name="${secret}" type="password" maxlength="200" autocomplete="off" placeholder="whsec_…"></div>
${isSet && html`<p class="hint">${words.keep}</p>`}</section>`;
}

function gatewayField({ gatewayName }: Shop, words: OwnerWords): Html {
  return html`<section class="card"><div class="field"><label for="gatewayName">${words.gatewayName}</label><input id="gatewayName" name="gatewayName" maxlength="100" value="${gatewayName ?? ""}" required><p class="hint">${words.gatewayHint}</p></div></section>`;
}

function parkedCard(desk: Desk, { domain }: Shop, { key, why, about }: ParkedWork, words: OwnerWords): Html {
  const text = words.parked[why === "refund_lost" ? "refund_lost" : "not_told"](about);
  return html`<form method="post" class="card attention"><p>${text}</p><input type="hidden" name="form" value="${formToken(desk, domain)}"><input type="hidden" name="key" value="${key}"><p class="actions"><button class="second" name="do" value="replay">${words.tryAgain}</button></p></form>`;
}
