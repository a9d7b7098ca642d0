import { addressFault, normalBase } from "@tillkit/client";
import type { Language } from "@tillkit/core";
import { type AttemptLimit, type Html, html, type OwnerPage, pageLanguage, sendOwnerPage } from "@tillkit/server";
import type { Request, Response } from "express";
import { z } from "zod";
import type { AppContext } from "../app-context.ts";
import { type ConfiguredStore, listedStores } from "../config/schema.ts";
import { BRIDGE_PATH } from "../names.ts";
import type { BridgedPlatform } from "../platform.ts";
import { serverLimits } from "../server-limits.ts";
import { type Problem, pair } from "./pair.ts";
import { type PairingMessages, pairingMessages } from "./pairing-messages.ts";
import { isPairable } from "./pairings.ts";

const formSchema = z.object({
  shop: z.string().max(500),
  code: z.string().regex(/^[0-9a-f]{64}$/),
  language: z.enum(["fr", "en"]),
});

type PairingForm = z.infer<typeof formSchema>;

/** `GET /bridge/v1/pair`: where a pairing starts. A pairing itself arrives as a form from the settings page in the shop. */
export function handlePairingStart({ platform }: AppContext, request: Request, response: Response): void {
  const language = pageLanguage(request.query.lang, request.headers["accept-language"]);
  const messages = pairingMessages(language, platform);
  const otherLanguageUrl = `?lang=${language === "fr" ? "en" : "fr"}`;
  const body = html`<p>${messages.startInShop}</p>`;
  sendOwnerPage(response, { status: 200, title: "Tillkit", body, language, otherLanguageUrl });
}

/** `POST /bridge/v1/pair`: shows the owner what the checkout server will be allowed to do. Nothing changes yet. */
export async function handlePairingForm(context: AppContext, request: Request, response: Response): Promise<void> {
  const form = formSchema.safeParse(request.body);
  if (!form.success) return handlePairingStart(context, request, response);
  const { platform } = context;
  const { shop, code, language } = form.data;
  const messages = pairingMessages(language, platform);
  const store = findStore(context, shop);
  if (store === null || !isPairable(store)) return sendProblem(platform, response, form.data, store);
  const body = html`<p>${messages.intro(context.config.publicUrl)}</p>
<h2>${messages.allowed}</h2>${list(messages.allowances)}
<h2>${messages.denied}</h2>${list(messages.denials)}
<h2>${messages.changes}</h2>${list(messages.changeList)}
<form method="post" action="${context.config.publicUrl}${BRIDGE_PATH}pair/confirm">
<input type="hidden" name="shop" value="${shop}"><input type="hidden" name="code" value="${code}">
<input type="hidden" name="language" value="${language}">
<button type="submit">${messages.agree}</button></form>
<p class="back"><a href="${platform.settingsPage(store.url)}">${messages.disagree}</a></p>`;
  // The browser goes on to the shop after the form, and the page must allow that.
  const formOrigins = [new URL(store.url).origin];
  sendPage(response, language, { status: 200, title: messages.title(store.name ?? store.url), body, formOrigins });
}

/** `POST /bridge/v1/pair/confirm`: the owner agreed. Sets up both sides and leads back to the shop. */
export async function handlePairingConfirmation(
  context: AppContext,
  attempts: AttemptLimit,
  request: Request,
  response: Response,
): Promise<void> {
  const form = formSchema.safeParse(request.body);
  if (!form.success) return handlePairingStart(context, request, response);
  const { platform } = context;
  const store = findStore(context, form.data.shop);
  if (store === null || !isPairable(store)) return sendProblem(platform, response, form.data, store);
  const { ip: address = "" } = request;
  if (!attempts.isAllowed(address)) {
    response.setHeader("Retry-After", serverLimits.pairingWindowMs / 1_000);
    return sendProblem(platform, response, form.data, store, "tooMany");
  }
  // Counted before the code is sent to the shop, because many requests may arrive before the first answer.
  attempts.record(address);
  const result = await pair(context, store, form.data.code);
  if ("settingsUrl" in result) {
    response.writeHead(303, { Location: result.settingsUrl, "Cache-Control": "no-store" }).end();
    return;
  }
  context.log.warn("pairing_failed", { storeId: store.id, problem: result.problem });
  sendProblem(platform, response, form.data, store, result.problem);
}

/** The configured shop with this address. The form proves nothing: secrets are exchanged with the configured address only. */
function findStore({ config }: AppContext, shop: string): ConfiguredStore | null {
  if (addressFault(shop, "base") !== null) return null;
  return listedStores(config).find(({ url }) => url === normalBase(shop)) ?? null;
}

function sendProblem(
  platform: BridgedPlatform,
  response: Response,
  { shop, language }: PairingForm,
  store: ConfiguredStore | null,
  problem?: Problem | "tooMany",
): void {
  const messages = pairingMessages(language, platform);
  const text = problemText(messages, shop, store, problem);
  const status = problem === undefined ? 404 : problem === "tooMany" ? 429 : 502;
  sendPage(response, language, { status, title: messages.problemTitle, body: html`<p role="alert">${text}</p>` });
}

function problemText(
  messages: PairingMessages,
  shop: string,
  store: ConfiguredStore | null,
  problem?: Problem | "tooMany",
): string {
  if (store === null) return messages.notConfigured(shop);
  if (problem === undefined) return messages.byConfiguration;
  return problem === "unreachable" ? messages.unreachable(store.url) : messages[problem];
}

function list(lines: readonly string[]): Html {
  return html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

/** The answer to a form of the owner, in the language of the shop. */
function sendPage(
  response: Response,
  language: Language,
  page: Omit<OwnerPage, "language" | "otherLanguageUrl">,
): void {
  sendOwnerPage(response, { ...page, language, otherLanguageUrl: null });
}
