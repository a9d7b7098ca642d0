import { codeOf, type Language } from "@tillkit/core";
import { privateHeaders } from "@tillkit/server";
import type { RequestHandler, Response } from "express";
import type { AppContext } from "../app-context.ts";
import { PATHS, publicPath } from "../config/paths.ts";
import { renameGateway, type Shop } from "../records/shops.ts";
import { reportReadiness } from "../shops/report-readiness.ts";
import { ENVIRONMENTS, saveServiceKey, storedKeys } from "../shops/service-keys.ts";
import { ownerTextsOf } from "../texts/owner-texts-of.ts";
import { isFormTokenOf } from "./owner-session.ts";
import { sendProblemPage } from "./problem-page.ts";
import { languageOf } from "./request-language.ts";
import { enteredKey, findFormMistakes, type SettingsForm, settingsFormSchema } from "./settings-form.ts";
import { activationUrl } from "./settings-page.ts";
import { findOwnShop, sendSettingsPage } from "./show-settings.ts";

/** `POST /shopify/settings`: saves the settings, or tries a dead letter again. */
export function saveSettings(context: AppContext): RequestHandler {
  return async function save(request, response) {
    const shop = await findOwnShop(context, request);
    if (!shop) return sendProblemPage(request, response, "not_signed_in", 403);
    const form = settingsFormSchema.safeParse(request.body);
    if (!form.success || !isFormTokenOf(context, shop.domain, form.data.form)) {
      return sendProblemPage(request, response, "form_expired", 403);
    }
    if (form.data.do === "retry") {
      await context.outbox.modifications.retryDead(shop.domain, form.data.key);
      return redirect(response, settingsUrl(context, "retried"));
    }
    const language = languageOf(request);
    const mistakes = findFormMistakes(form.data, context.config.app.mode, ownerTextsOf(language));
    const problems = mistakes.length > 0 ? mistakes : await storeSettings(context, shop, form.data, language);
    const saved = (await context.shops.find(shop.domain)) ?? shop;
    if (problems.length > 0) {
      return await sendSettingsPage(context, saved, { status: "problem", texts: problems }, request, response);
    }
    const becameReady = context.config.app.mode === "offsite" && saved.ready && !shop.ready;
    redirect(response, becameReady ? activationUrl(context, shop.domain) : settingsUrl(context, "saved"));
  };
}

/** Stores the settings and reports them to Shopify. Returns one sentence for each step that failed. */
async function storeSettings(
  context: AppContext,
  shop: Shop,
  form: SettingsForm,
  language: Language,
): Promise<readonly string[]> {
  const { mistakes } = ownerTextsOf(language);
  const { domain } = shop;
  try {
    for (const environment of ENVIRONMENTS) {
      const key = enteredKey(form, environment);
      if (key.apiKey !== "") await saveServiceKey(context, domain, environment, key);
    }
    const gatewayNames = context.config.app.mode === "order" ? renameGateway(shop, form.gatewayName) : {};
    await context.shops.update(domain, { paused: form.paused === "yes", language, ...gatewayNames });
  } catch (error) {
    context.log.warn("shopify.settings_not_saved", { storeId: domain, code: codeOf(error) });
    return [mistakes.notSaved];
  }
  const isReported = await reportReadiness(context, domain);
  const { test, live } = await storedKeys(context, domain);
  context.log.info("shopify.settings_saved", { storeId: domain, test, live });
  return isReported ? [] : [mistakes.shopifyNotInformed];
}

function settingsUrl({ config }: AppContext, done: "saved" | "retried"): string {
  return `${publicPath(config, PATHS.settings)}?done=${done}`;
}

function redirect(response: Response, url: string): void {
  response.writeHead(303, { ...privateHeaders, Location: url }).end();
}
