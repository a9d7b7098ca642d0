import type { Language } from "@tillkit/core";
import { type Html, html } from "../../pages/html.ts";
import type { OpenInvitation } from "../../stores/invitations.ts";
import type { RegisteredStore } from "../../stores/store-registry.ts";
import { type ShopAct, shopTexts } from "../texts/shop-texts.ts";
import { formTokenField } from "./form-fields.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { pager, time } from "./rows.ts";
import { emptyList } from "./table.ts";
import { technicalTabs } from "./technical-page.ts";

/** A connected shop, and what the newest rows of the ledger tell about it. */
export type ShownShop = RegisteredStore & {
  /** What this server may do with the shop in its present state. */
  readonly acts: readonly ShopAct[];
  readonly lastWebhookAt: number | null;
  readonly stoppedJobs: number;
  readonly isRefusing: boolean;
  /** It has no live key yet, so it takes test payments only. */
  readonly isTestOnly: boolean;
};

type ShopList = {
  readonly shops: readonly ShownShop[];
  readonly next: string | null;
  readonly after: string | null;
  readonly invitations: readonly OpenInvitation[];
  /** A code that was created by this request; null for none. */
  readonly invitationCode: string | null;
  /** The address that owners enter. */
  readonly serverUrl: string;
  readonly query: Readonly<Record<string, string>>;
};

export function shopsPage(list: ShopList, context: PageContext): OperatorPage {
  const { language, base, operator } = context;
  const texts = shopTexts[language];
  const title = context.texts.menu.shops;
  const { shops, next, after, invitations, invitationCode, serverUrl, query } = list;
  const body = html`<h1>${title}</h1>
${technicalTabs("shops", context)}
<p>${texts.lead}</p>
${query.problem === "code" && html`<p class="card care" role="alert">${texts.codeGone}</p>`}
${query.problem === "changed" && html`<p class="card care" role="alert">${texts.changed}</p>`}
${invitationCode !== null && html`<div class="card good" role="status"><p>${texts.invited}<br><strong class="number code">${invitationCode}</strong></p>${ownerTexts(serverUrl, context)}</div>`}
${shops.length === 0 ? emptyList(texts.none, texts.noneNext(serverUrl)) : html`<ul class="rows">${shops.map((shop) => shopRow(shop, context))}</ul>`}
${pager(`${base}/shops`, { next, after }, context)}
${
  operator.canDecide &&
  html`<form action="${base}/shops/invite" method="post" class="actions">${formTokenField(context)}<button class="second">${texts.invite}</button></form>
<p class="hint">${texts.inviteHint}</p>
${invitations.length > 0 && html`<details><summary>${texts.openInvitations(invitations.length)}</summary><ul class="rows">${invitations.map((invitation) => invitationRow(invitation, context))}</ul></details>`}`
}`;
  return { title, body, menuItem: "technical" };
}

/** What the operator sends with the code, in both languages: the owner may speak another one. */
function ownerTexts(serverUrl: string, { language }: PageContext): Html {
  const languages: readonly Language[] = language === "fr" ? ["fr", "en"] : ["en", "fr"];
  return html`${languages.map((shown) => html`<p lang="${shown}">${shopTexts[shown].invitedNext(serverUrl)}</p>`)}`;
}

function shopRow(shop: ShownShop, context: PageContext): Html {
  const { language, operator } = context;
  const texts = shopTexts[language];
  const { storeId, address, name, state, stateSince, pluginVersion, lastWebhookAt, stoppedJobs, isRefusing } = shop;
  const colon = language === "fr" ? "\u00a0:" : ":";
  const webhook = lastWebhookAt === null ? texts.noWebhook : time(lastWebhookAt, context);
  return html`<li><div class="row"><strong>${name ?? address}</strong> <span class="badge ${state === "connected" ? "good" : "care"}">${texts.states[state] ?? state}</span>${shop.isTestOnly && html` <span class="badge">${texts.testOnly}</span>`}
${stoppedJobs > 0 && html`<span class="badge care">${texts.stopped(stoppedJobs)}</span>`}${isRefusing && html`<span class="badge care">${texts.refuses}</span>`}
<span class="time">${time(stateSince, context)}</span></div>
<p class="small">${name !== null && html`<span class="number">${address}</span> · `}<span class="number">${storeId}</span>${pluginVersion !== null && html` · ${texts.plugin} ${pluginVersion}`} · ${texts.lastWebhook}${colon} ${webhook}</p>
${operator.canDecide && html`<div class="actions">${shop.acts.map((act) => actForm(storeId, act, context))}</div>`}</li>`;
}

function invitationRow({ id, begins, expiresAt, usedBy }: OpenInvitation, context: PageContext): Html {
  const { base, language } = context;
  const texts = shopTexts[language];
  const code = `${begins}…`;
  return html`<li><div class="row"><span class="number">${code}</span> <span class="time">${texts.validUntil} ${time(expiresAt, context)}</span></div>
${usedBy !== null && html`<p class="small">${texts.usedBy(usedBy)}</p>`}
<form action="${base}/invitations/${id}/withdraw" method="post" class="actions">${formTokenField(context)}<button class="second" aria-label="${texts.withdraw} ${code}">${texts.withdraw}</button></form></li>`;
}

function actForm(storeId: string, act: ShopAct, context: PageContext): Html {
  const { base, language } = context;
  const texts = shopTexts[language];
  const form = (label: string) =>
    html`<form action="${base}/shops/${encodeURIComponent(storeId)}/${act}" method="post">${formTokenField(context)}<button class="second" aria-label="${label} ${storeId}">${label}</button></form>`;
  if (act !== "remove") return form(texts.acts[act]);
  return html`<details><summary>${texts.acts.remove}</summary><p class="hint">${texts.removeHint}</p>${form(texts.confirmRemove)}</details>`;
}
