import { codeOf } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { credentialOf, environmentOf } from "../config/credentials.ts";
import type { ConfiguredStore } from "../config/schema.ts";
import { serverLimits } from "../server-limits.ts";
import { exchangeCode } from "./exchange-code.ts";
import { isPaired, saveLinkSecret, webhookSecretsOf } from "./pairings.ts";
import { registerWebhook } from "./register-webhook.ts";

/** The lock of an endpoint, which several shops may share, is an order's lock under ids that no order has. */
const ANY_STORE = "";

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
  const { platform, config, ledger, log, clock, refreshStores } = context;
  const exchange = await exchangeCode({
    place: platform.place,
    shopUrl: store.url,
    code,
    storeId: store.id,
    publicUrl: config.publicUrl,
    environment: environmentOf(store),
  });
  if (exchange.status !== "paired") return { problem: exchange.status };
  let isFirst: boolean;
  try {
    isFirst = !(await isEndpointPaired(context, store));
    await saveLinkSecret(platform, store.id, exchange.linkSecret, ledger.secrets, clock.now());
  } catch (error) {
    // The shop has a secret that we could not store. The shop still accepts its previous secret, and a new pairing replaces both.
    log.error("pairing_not_stored", { storeId: store.id, code: codeOf(error) });
    return { problem: "refused" };
  }
  const isRegistered = await registerMissingWebhook(context, store, isFirst);
  await refreshStores({ now: true }).catch((error: unknown) => {
    // The pairing is stored, and every process reads it within seconds.
    log.warn("pairing_not_read", { storeId: store.id, code: codeOf(error) });
  });
  if (!isRegistered) return { problem: "serviceFails" };
  log.info("paired", { storeId: store.id });
  return { settingsUrl: exchange.settingsUrl };
}

/** Whether a shop of the same endpoint was paired before. */
async function isEndpointPaired({ platform, config, ledger }: AppContext, store: ConfiguredStore): Promise<boolean> {
  for (const storeId of credentialOf(store, config).storeIds)
    if (await isPaired(platform, storeId, ledger.secrets)) return true;
  return false;
}

/**
 * Stores a webhook secret unless there is one. Before the first pairing of an endpoint, an earlier version stored a secret that nobody
 * knows, so then the webhook is registered in any case. Two shops of one endpoint must not register it at the same time: the service
 * would sign with the secret of one of them, and the other one's might be stored.
 */
async function registerMissingWebhook(context: AppContext, store: ConfiguredStore, isFirst: boolean): Promise<boolean> {
  const { config, ledger, log, clock, random, checkout } = context;
  const credential = credentialOf(store, config);
  if (credential.webhookSecrets !== "kept") return true;
  const lock = { storeId: ANY_STORE, orderId: `webhook ${credential.id}` };
  try {
    const fence = await ledger.lockOrder(lock, random.uuid(), clock.now(), serverLimits.registerLeaseMs);
    if (fence === null) return false;
    try {
      if (!isFirst && (await webhookSecretsOf(store, ledger)).length > 0) return true;
      const url = `${config.publicUrl}/hooks/service/${credential.endpointId}`;
      const { secret } = await registerWebhook(store, config.service.baseUrl, url);
      await checkout.storedCredentials?.put({ ...credential, webhookSecrets: [secret] });
      return true;
    } finally {
      await ledger.unlockOrder(lock, fence);
    }
  } catch (error) {
    log.error("webhook_not_registered", { storeId: store.id, code: codeOf(error) });
    return false;
  }
}
