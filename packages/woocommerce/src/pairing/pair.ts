import { codeOf } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { endpointOf } from "../config/credentials.ts";
import type { ConfiguredStore } from "../config/schema.ts";
import { exchangeCode } from "./exchange-code.ts";
import { readWebhookSecret, saveLinkSecret, saveWebhookSecret } from "./pairings.ts";
import { registerWebhook } from "./register-webhook.ts";

export type Problem = "refused" | "unreachable" | "serviceFails";

/**
 * Exchanges the owner's code, then registers the webhook. Anybody can send a code, so nothing changes at the service before the shop
 * has accepted it: a new secret of an endpoint would shut out a server that uses it. The link secret is stored before the service is
 * called, because the shop has it already; where the service fails, the next pairing registers the webhook.
 */
export async function pair(
  context: AppContext,
  store: ConfiguredStore,
  code: string,
): Promise<{ readonly settingsUrl: string } | { readonly problem: Problem }> {
  const { config, ledger, log, refreshStores } = context;
  const exchange = await exchangeCode({ shopUrl: store.url, code, storeId: store.id, publicUrl: config.publicUrl });
  if (exchange.status !== "paired") return { problem: exchange.status };
  try {
    await saveLinkSecret(store.id, exchange.linkSecret, ledger.secrets);
  } catch (error) {
    // The shop has a secret that we could not store. The shop still accepts its previous secret, and a new pairing replaces both.
    log.error("woo.pairing_not_stored", { storeId: store.id, code: codeOf(error) });
    return { problem: "refused" };
  }
  const isRegistered = await registerMissingWebhook(context, store);
  await refreshStores({ now: true }).catch((error: unknown) => {
    // The pairing is stored, and every process reads it within seconds.
    log.warn("woo.pairing_not_read", { storeId: store.id, code: codeOf(error) });
  });
  if (!isRegistered) return { problem: "serviceFails" };
  log.info("woo.paired", { storeId: store.id });
  return { settingsUrl: exchange.settingsUrl };
}

async function registerMissingWebhook({ config, ledger, log }: AppContext, store: ConfiguredStore): Promise<boolean> {
  const { publicUrl, service } = config;
  try {
    if (store.webhookSecrets !== undefined || (await readWebhookSecret(store, ledger.secrets)) !== null) return true;
    const secret = await registerWebhook(store, service.baseUrl, `${publicUrl}/hooks/service/${endpointOf(store)}`);
    await saveWebhookSecret(store, secret, ledger.secrets);
    return true;
  } catch (error) {
    log.error("woo.webhook_not_registered", { storeId: store.id, code: codeOf(error) });
    return false;
  }
}
