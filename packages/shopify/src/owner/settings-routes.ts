import { codeOf, type Environment, type Language } from "@tillkit/core";
import { pageLanguage, privateHeaders, sendOwnerPage } from "@tillkit/server";
import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import { sunsetOf } from "../app/api-versions.ts";
import type { Desk } from "../app/desk.ts";
import { PATHS, publicPath } from "../app/paths.ts";
import { renameGateway, type Shop } from "../shop/shops.ts";
import { otherLanguageUrl } from "./other-language.ts";
import { isOwnForm, ownerCookie, readOwner, readTicket } from "./owner-session.ts";
import { parkedWork } from "./parked-work.ts";
import { showProblem } from "./problem-page.ts";
import { tellReadiness } from "./readiness.ts";
import { activationUrl, type SettingsNews, settingsBody } from "./settings-page.ts";
import { ENVIRONMENTS, keysOf, putKey } from "./shop-keys.ts";
import { type OwnerWords, ownerWords } from "./words.ts";

const text = z
  .string()
  .max(400)
  .default("")
  .transform((value) => value.trim());
const formSchema = z.object({
  form: text,
  do: text,
  key: text,
  testKey: text,
  testSecret: text,
  liveKey: text,
  liveSecret: text,
  gatewayName: text,
  paused: text,
});

type Form = z.output<typeof formSchema>;

export function showSettings(desk: Desk): RequestHandler {
  return async function settings(request, response) {
    const { ticket } = request.query;
    if (typeof ticket === "string") return useTicket(desk, ticket, request, response);
    const shop = await ownShop(desk, request);
    if (!shop) return showProblem(request, response, "no_owner", 403);
    const { done } = request.query;
    await show(desk, shop, request, response, done === "saved" || done === "retried" ? { say: done } : null);
  };
}

export function saveSettings(desk: Desk): RequestHandler {
  return async function save(request, response) {
    const shop = await ownShop(desk, request);
    if (!shop) return showProblem(request, response, "no_owner", 403);
    const form = formSchema.safeParse(request.body);
    if (!form.success || !isOwnForm(desk, shop.domain, form.data.form)) {
      return showProblem(request, response, "form_expired", 403);
    }
    if (form.data.do === "replay") {
      await desk.errands.money.retryDead(shop.domain, form.data.key);
      return goTo(response, doneUrl(desk, "retried"));
    }
    const words = ownerWords(languageOf(request));
    const mistakes = mistakesIn(desk, form.data, words);
    const problems = mistakes.length > 0 ? mistakes : await keep(desk, shop, form.data, languageOf(request));
    const now = (await desk.shops.find(shop.domain)) ?? shop;
    if (problems.length > 0) return await show(desk, now, request, response, { say: "problem", texts: problems });
    const isFirst = desk.config.app.mode === "offsite" && now.ready && !shop.ready;
    goTo(response, isFirst ? activationUrl(desk, shop.domain) : doneUrl(desk, "saved"));
  };
}

async function ownShop(desk: Desk, request: Request): Promise<Shop | null> {
  const domain = readOwner(desk, request);
  const shop = domain === null ? null : await desk.shops.find(domain);
  return shop?.uninstalledAt === null ? shop : null;
}

function useTicket(desk: Desk, ticket: string, request: Request, response: Response): void {
  const shop = readTicket(desk, ticket);
  if (shop === null) {
    showProblem(request, response, "too_old", 403);
  } else {
    const headers = { ...privateHeaders, "Set-Cookie": ownerCookie(desk, shop) };
    response.writeHead(303, { ...headers, Location: publicPath(desk.config, PATHS.settings) }).end();
  }
}

async function show(desk: Desk, shop: Shop, request: Request, response: Response, news: SettingsNews): Promise<void> {
  const language = languageOf(request);
  const [parked, sunset] = await Promise.all([parkedWork(desk, shop.domain), sunsetOf(desk)]);
  sendOwnerPage(response, {
    status: news?.say === "problem" ? 422 : 200,
    title: ownerWords(language).title,
    body: await settingsBody(desk, language, { shop, parked, sunset, news }),
    language,
    otherLanguageUrl: otherLanguageUrl(request, language),
    // The answer to the form leads on to the shop's admin.
    formOrigins: [new URL(desk.oauth.originOf(shop.domain)).origin],
  });
}

function mistakesIn(desk: Desk, form: Form, { mistakes }: OwnerWords): string[] {
  const found = ENVIRONMENTS.flatMap((environment) => keyMistakes(environment, form, mistakes));
  if (desk.config.app.mode === "order" && form.gatewayName === "") found.push(mistakes.gateway);
  return found;
}

function keyMistakes(environment: Environment, form: Form, mistakes: OwnerWords["mistakes"]): string[] {
  const { key, secret } = wishOf(environment, form);
  const other = environment === "test" ? "live" : "test";
  if (key === "" && secret === "") return [];
  if (key === "" || secret === "") return [mistakes.both(environment)];
  if (key.startsWith(`svc_sk_${other}_`)) return [mistakes.wrongMode(environment)];
  if (!new RegExp(`^svc_sk_${environment}_\\w{8,}$`).test(key)) return [mistakes.notAKey(environment)];
  return secret.startsWith("whsec_") ? [] : [mistakes.notASecret(environment)];
}

function wishOf(environment: Environment, form: Form): { readonly key: string; readonly secret: string } {
  return environment === "test"
    ? { key: form.testKey, secret: form.testSecret }
    : { key: form.liveKey, secret: form.liveSecret };
}

/** What could not be kept, or not be told, in words. */
async function keep(desk: Desk, shop: Shop, form: Form, language: Language): Promise<readonly string[]> {
  const { mistakes } = ownerWords(language);
  const { domain } = shop;
  try {
    for (const environment of ENVIRONMENTS) {
      const { key, secret } = wishOf(environment, form);
      if (key !== "") await putKey(desk, domain, environment, { apiKey: key, webhookSecret: secret });
    }
    const gateways = desk.config.app.mode === "order" ? renameGateway(shop, form.gatewayName) : {};
    await desk.shops.change(domain, { paused: form.paused === "yes", language, ...gateways });
  } catch (error) {
    desk.log.warn("shopify.settings_not_kept", { storeId: domain, code: codeOf(error) });
    return [mistakes.notKept];
  }
  const told = await tellReadiness(desk, domain);
  const keys = await keysOf(desk, domain);
  desk.log.info("shopify.settings_kept", { storeId: domain, test: keys.test, live: keys.live });
  return told ? [] : [mistakes.shopifySilent];
}

function languageOf(request: Request): Language {
  return pageLanguage(request.query.lang, request.headers["accept-language"]);
}

function doneUrl({ config }: Desk, done: "saved" | "retried"): string {
  return `${publicPath(config, PATHS.settings)}?done=${done}`;
}

function goTo(response: Response, url: string): void {
  response.writeHead(303, { ...privateHeaders, Location: url }).end();
}
