import { codeOf, type Language } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { renameGateways, type Shop } from "../records/shops.ts";
import { connectServiceKey } from "../shops/connect-service-key.ts";
import { readShopFacts } from "../shops/read-shop-facts.ts";
import { reportReadiness } from "../shops/report-readiness.ts";
import { ENVIRONMENTS, saveServiceKey, storedKeys } from "../shops/service-keys.ts";
import { ownerTextsOf } from "../texts/owner-texts-of.ts";
import { enteredKey, type SettingsForm } from "./settings-form.ts";
import type { DoneCode } from "./settings-page.ts";

/** `problems`: one sentence for each step that failed. `done`: what the page says where there is none. */
export type StoredSettings = { readonly problems: readonly string[]; readonly done: DoneCode };

/** Checks and stores the settings and reports them to Shopify. */
export async function storeSettings(
  context: AppContext,
  shop: Shop,
  form: SettingsForm,
  language: Language,
): Promise<StoredSettings> {
  const { mistakes } = ownerTextsOf(language);
  const { domain } = shop;
  try {
    const { problems, done } = await storeKeys(context, domain, form, language);
    await storeChoices(context, shop, form, language);
    await readShopFacts(context, domain);
    const isReported = await reportReadiness(context, domain);
    const { test, live } = await storedKeys(context, domain);
    context.log.info("shopify.settings_saved", { storeId: domain, test, live });
    return { problems: isReported ? problems : [...problems, mistakes.shopifyNotInformed], done };
  } catch (error) {
    context.log.warn("shopify.settings_not_saved", { storeId: domain, code: codeOf(error) });
    return { problems: [mistakes.notSaved], done: "saved" };
  }
}

async function storeKeys(
  context: AppContext,
  domain: string,
  form: SettingsForm,
  language: Language,
): Promise<StoredSettings> {
  const { mistakes } = ownerTextsOf(language);
  const problems: string[] = [];
  let done: DoneCode = "saved";
  for (const environment of ENVIRONMENTS) {
    const { apiKey, webhookSecret } = enteredKey(form, environment);
    if (apiKey === "") continue;
    const connection = await connectServiceKey(context, domain, environment, { apiKey, webhookSecret });
    const isRejected = !("webhookSecret" in connection);
    if (isRejected) {
      problems.push(mistakes[connection.status](environment));
      continue;
    }
    await saveServiceKey(context, domain, environment, { apiKey, webhookSecret: connection.webhookSecret });
    if (connection.status !== "verified") done = connection.status;
  }
  return { problems, done };
}

async function storeChoices(context: AppContext, shop: Shop, form: SettingsForm, language: Language): Promise<void> {
  const isOrderMode = context.config.app.mode === "order";
  const gatewayNames = isOrderMode ? renameGateways(shop, form.gatewayName, form.testGatewayName || null) : {};
  const look = { logoUrl: form.logoUrl || null, color: form.color || null };
  const choices = { paused: form.paused === "yes", language, deniedOperation: null, ...look, ...gatewayNames };
  await context.shops.update(shop.domain, choices);
}
