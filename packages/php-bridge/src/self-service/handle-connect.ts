import { addressFault, isPrivateHost, normalBase } from "@tillkit/client";
import { type AttemptLimit, type Html, html, type OwnerPage, sendOwnerPage, takesPayments } from "@tillkit/server";
import type { Request, Response } from "express";
import { z } from "zod";
import type { AppContext } from "../app-context.ts";
import { admissionOf } from "../config/schema.ts";
import { BRIDGE_PATH } from "../names.ts";
import { handlePairingStart } from "../pairing/handle-pairing.ts";
import { pairingMessages } from "../pairing/pairing-messages.ts";
import type { BridgedPlatform } from "../platform.ts";
import { serverLimits } from "../server-limits.ts";
import { type ConnectMessages, connectMessages } from "./connect-messages.ts";
import { type ConnectProblem, connectShop, needsInvitation } from "./connect-shop.ts";
import { identifyShop, type ShopIdentity } from "./identify-shop.ts";
import { selfServiceOf } from "./self-service-shops.ts";

const formSchema = z.object({
  shop: z.string().max(500),
  code: z.string().regex(/^[0-9a-f]{64}$/),
  language: z.enum(["fr", "en"]),
  store: z
    .string()
    .regex(/^[\w-]{0,64}$/)
    .default(""),
  proof: z.string().max(80).default(""),
  invitation: z.string().max(100).default(""),
  apiKey: z.string().trim().max(300).default(""),
  move: z.enum(["moved", "copy", ""]).default(""),
});

type ConnectForm = z.output<typeof formSchema> & { readonly address: string };

/** `POST /bridge/v1/pair` where owners connect their shops: shows what will be allowed, and asks for the key. Nothing changes yet. */
export async function handleConnectForm(context: AppContext, request: Request, response: Response): Promise<void> {
  const form = readForm(context, request, response);
  if (form !== null) await sendForm(context, response, form, null);
}

/** `POST /bridge/v1/pair/confirm`: connects the shop and leads back to the shop, or shows the form again with what is to be corrected. */
export async function handleConnectConfirmation(
  context: AppContext,
  attempts: AttemptLimit,
  request: Request,
  response: Response,
): Promise<void> {
  const form = readForm(context, request, response);
  if (form === null) return;
  const { platform } = context;
  const { ip = "" } = request;
  if (!attempts.isAllowed(ip)) {
    response.setHeader("Retry-After", serverLimits.pairingWindowMs / 1_000);
    return sendProblem(platform, response, form, 429, pairingMessages(form.language, platform).tooMany);
  }
  // Counted before anything is asked, because many requests may arrive before the first answer.
  attempts.record(ip);
  const { address, code, language, store: storeId, proof, invitation, apiKey, move } = form;
  const claim = { address, code, storeId, proof };
  const connection = await connectShop(context, { ...claim, language, invitation, apiKey, hasMoved: move === "moved" });
  if (connection.status === "connected") {
    const url = new URL(connection.settingsUrl);
    if (!takesPayments(connection.store)) url.searchParams.set("tillkit_paired", "waiting");
    response.writeHead(303, { Location: url.href, "Cache-Control": "no-store" }).end();
    return;
  }
  // The operator is asked about it by an owner, who names the shop.
  context.log.warn("connection_refused", { problem: connection.problem, shop: new URL(address).host });
  if (CODE_IS_USED.has(connection.problem)) {
    return sendProblem(platform, response, form, 502, connectMessages(language, platform).problems[connection.problem]);
  }
  await sendForm(context, response, form, connection.problem);
}

/** After these the code of the plugin is used up or unusable, so the owner begins again in the shop. */
const CODE_IS_USED: ReadonlySet<ConnectProblem> = new Set(["refused", "currency"]);

/** The form with a usable address of the shop; null after an answer was sent. */
function readForm(context: AppContext, request: Request, response: Response): ConnectForm | null {
  const form = formSchema.safeParse(request.body);
  if (!form.success) {
    handlePairingStart(context, request, response);
    return null;
  }
  const { shop, language } = form.data;
  const isUsable = addressFault(shop, "base") === null && isReachableHost(context, shop);
  if (isUsable) return { ...form.data, address: normalBase(shop) };
  const { platform } = context;
  sendProblem(platform, response, form.data, 400, connectMessages(language, platform).notPublic);
  return null;
}

function isReachableHost(context: AppContext, shop: string): boolean {
  return !selfServiceOf(context).publicOnly || !isPrivateHost(new URL(shop));
}

async function sendForm(
  context: AppContext,
  response: Response,
  form: ConnectForm,
  problem: ConnectProblem | null,
): Promise<void> {
  const { address, code, language, store: storeId, proof } = form;
  const identity = await identifyShop(context, { address, code, storeId, proof });
  const { platform } = context;
  const messages = pairingMessages(language, platform);
  const texts = connectMessages(language, platform);
  const { publicUrl } = context.config;
  const body = html`${problem !== null && html`<p class="card care" role="alert">${texts.problems[problem]}</p>`}
<p>${messages.intro(publicUrl)}</p>
<p class="number">${address}</p>
<h2>${messages.allowed}</h2>${list(messages.allowances)}
<h2>${messages.denied}</h2>${list(messages.denials)}
<h2>${messages.changes}</h2>${list(messages.changeList)}
<form method="post" action="${publicUrl}${BRIDGE_PATH}pair/confirm" autocomplete="off">
${hiddenFields({ shop: address, code, language, store: storeId, proof })}
${await identityFields(context, identity, form, texts)}
${keyField(identity, texts)}
${invitationField(context, identity, form, texts)}
${admissionOf(context.config) === "approval" && identity.kind === "new" && html`<p>${texts.approval}</p>`}
<p class="actions"><button type="submit">${messages.agree}</button></p></form>
<p class="back"><a href="${platform.settingsPage(address)}">${messages.disagree}</a></p>`;
  const title = messages.title(new URL(address).host);
  // The browser goes on to the shop after the form, and the page must allow that.
  const formOrigins = [new URL(address).origin];
  send(response, language, { status: problem === null ? 200 : 422, title, body, formOrigins });
}

/** What the server knows of the shop, and the question that follows from it. */
async function identityFields(
  { ledger }: AppContext,
  identity: ShopIdentity,
  { move }: ConnectForm,
  texts: ConnectMessages,
): Promise<Html> {
  switch (identity.kind) {
    case "new":
      return html``;
    case "again": {
      const keys = await ledger.credentials.find({ storeId: identity.store.storeId });
      const { state } = identity.store;
      return html`<p>${texts.again(keys.map(({ environment }) => texts.modes[environment]).join(", "))}</p>
${state === "suspended" && html`<p class="card care">${texts.suspended}</p>`}${state === "waiting" && html`<p>${texts.approval}</p>`}`;
    }
    case "taken":
      return html`<p class="card care">${texts.taken}</p>`;
    case "elsewhere":
      return html`<fieldset><legend>${texts.elsewhere(identity.store.address)}</legend>
<p><label><input type="radio" name="move" value="moved" required${move === "moved" && html` checked`}> ${texts.moved}</label></p>
<p><label><input type="radio" name="move" value="copy" required${move === "copy" && html` checked`}> ${texts.copy}</label></p></fieldset>`;
  }
}

function keyField({ kind }: ShopIdentity, texts: ConnectMessages): Html {
  const isOptional = kind === "again";
  return html`<div class="field"><label for="apiKey">${texts.key}</label><input id="apiKey" name="apiKey" type="password" maxlength="300" autocomplete="off"${!isOptional && html` required`}><p class="hint">${texts.keyHint} ${isOptional ? texts.keepKeyHint : texts.firstKeyHint}</p></div>`;
}

function invitationField(context: AppContext, identity: ShopIdentity, form: ConnectForm, texts: ConnectMessages): Html {
  if (!needsInvitation(context, identity, { hasMoved: false })) return html``;
  const isOptional = identity.kind === "elsewhere";
  return html`<div class="field"><label for="invitation">${texts.invitation}</label><input id="invitation" name="invitation" maxlength="100" autocomplete="off" value="${form.invitation}"${!isOptional && html` required`}><p class="hint">${texts.invitationHint}</p></div>`;
}

function hiddenFields(values: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

function list(lines: readonly string[]): Html {
  return html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

function sendProblem(
  platform: BridgedPlatform,
  response: Response,
  { language }: Pick<ConnectForm, "language">,
  status: number,
  text: string,
): void {
  const title = pairingMessages(language, platform).problemTitle;
  send(response, language, { status, title, body: html`<p role="alert">${text}</p>` });
}

function send(
  response: Response,
  language: ConnectForm["language"],
  page: Omit<OwnerPage, "language" | "otherLanguageUrl">,
): void {
  sendOwnerPage(response, { ...page, language, otherLanguageUrl: null });
}
