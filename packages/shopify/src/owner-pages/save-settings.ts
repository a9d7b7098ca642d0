import type { Language } from "@tillkit/core";
import { privateHeaders } from "@tillkit/server";
import type { RequestHandler, Response } from "express";
import type { AppContext } from "../app-context.ts";
import { PATHS, publicPath } from "../config/paths.ts";
import type { Shop } from "../records/shops.ts";
import { answerDeadJob } from "../shops/dead-jobs.ts";
import { removeServiceKey } from "../shops/remove-service-key.ts";
import { ENVIRONMENTS } from "../shops/service-keys.ts";
import { ownerTextsOf } from "../texts/owner-texts-of.ts";
import { isFormTokenOf } from "./owner-session.ts";
import { sendProblemPage } from "./problem-page.ts";
import { languageOf } from "./request-language.ts";
import { findFormMistakes, type SettingsForm, settingsFormSchema } from "./settings-form.ts";
import { activationUrl, type DoneCode } from "./settings-page.ts";
import { findOwnShop, sendSettingsPage } from "./show-settings.ts";
import { storeSettings } from "./store-settings.ts";

/** The result of the owner's form: sentences about what went wrong, or the URL of the next page. */
type Outcome = { readonly problems: readonly string[] } | { readonly next: string };

/** `POST /shopify/settings`: saves the settings, removes a key, or answers a dead job. */
export function saveSettings(context: AppContext): RequestHandler {
  return async function save(request, response) {
    const shop = await findOwnShop(context, request);
    if (!shop) return sendProblemPage(request, response, "not_signed_in", 403);
    const form = settingsFormSchema.safeParse(request.body);
    if (!form.success || !isFormTokenOf(context, shop.domain, form.data.form)) {
      return sendProblemPage(request, response, "form_expired", 403);
    }
    const outcome = await applyForm(context, shop, form.data, languageOf(request));
    if ("next" in outcome) return redirect(response, outcome.next);
    const saved = (await context.shops.find(shop.domain)) ?? shop;
    await sendSettingsPage(context, saved, { status: "problem", texts: outcome.problems }, request, response);
  };
}

async function applyForm(context: AppContext, shop: Shop, form: SettingsForm, language: Language): Promise<Outcome> {
  const keyToRemove = ENVIRONMENTS.find((environment) => form.do === `remove_${environment}`);
  if (keyToRemove) {
    const problem = await removeServiceKey(context, shop.domain, keyToRemove);
    if (problem === null) return { next: settingsUrl(context, "removed") };
    return { problems: [ownerTextsOf(language).mistakes[problem](keyToRemove)] };
  }
  if (form.do === "retry" || form.do === "recorded") {
    return { next: settingsUrl(context, await answerDeadJob(context, shop.domain, form.key, form.do)) };
  }
  const mistakes = findFormMistakes(form, context.config.app.mode, ownerTextsOf(language));
  if (mistakes.length > 0) return { problems: mistakes };
  return await storeAndContinue(context, shop, form, language);
}

async function storeAndContinue(
  context: AppContext,
  shop: Shop,
  form: SettingsForm,
  language: Language,
): Promise<Outcome> {
  const { problems, done } = await storeSettings(context, shop, form, language);
  if (problems.length > 0) return { problems };
  const isReady = context.config.app.mode === "offsite" && (await context.shops.find(shop.domain))?.ready === true;
  const becameReady = isReady && !shop.ready && done === "saved";
  return { next: becameReady ? activationUrl(context, shop.domain) : settingsUrl(context, done) };
}

function settingsUrl({ config }: AppContext, done: DoneCode): string {
  return `${publicPath(config, PATHS.settings)}?done=${done}`;
}

function redirect(response: Response, url: string): void {
  response.writeHead(303, { ...privateHeaders, Location: url }).end();
}
