import { createServiceClient } from "@tillkit/client";
import { codeOf } from "@tillkit/core";
import type { CredentialEntry } from "@tillkit/core/ledger";
import type { ScheduledTask } from "@tillkit/runtime";
import { hasUnfinishedPayments, isServed, registeredEndpointId, type StoreState } from "@tillkit/server";
import type { AppContext } from "../app-context.ts";
import { environmentOf } from "../config/credentials.ts";
import { removeLink } from "../pairing/pairings.ts";
import { serverLimits } from "../server-limits.ts";
import { selfServiceOf } from "./self-service-shops.ts";

/**
 * Ends a shop: it takes no more payments, and its keys are wiped once its payments are finished, at once if they are. What was paid stays in
 * the ledger. An owner cannot end a suspended shop: its address would be free, and the same shop could connect anew.
 * @returns the state of the shop then
 */
export async function leaveShop(context: AppContext, storeId: string, by: "owner" | "operator"): Promise<StoreState> {
  const { registry } = selfServiceOf(context);
  const from = by === "owner" ? ENDED_BY_OWNER : ENDED_BY_OPERATOR;
  const store = await registry.change(storeId, from, "leaving");
  await context.refreshStores({ now: true });
  if (store?.state !== "leaving") return store?.state ?? "left";
  if (await hasUnfinishedPayments(context.ledger, { storeId })) return "leaving";
  return await wipeShop(context, storeId);
}

const ENDED_BY_OWNER: readonly StoreState[] = ["waiting", "connected"];
const ENDED_BY_OPERATOR: readonly StoreState[] = [...ENDED_BY_OWNER, "suspended"];

/** The keys go first: a process that ends in between leaves a shop that is still leaving, and the task goes on with it. */
async function wipeShop(context: AppContext, storeId: string): Promise<StoreState> {
  const { log } = context;
  await wipeSecrets(context, storeId);
  const store = await selfServiceOf(context).registry.change(storeId, ["leaving"], "left");
  await context.refreshStores({ now: true });
  log.info("shop_left", { storeId });
  return store?.state ?? "left";
}

async function wipeSecrets(context: AppContext, storeId: string): Promise<void> {
  const { ledger, checkout, platform } = context;
  for (const credential of await ledger.credentials.list({ storeId })) {
    await removeWebhook(context, credential);
    await checkout.storedCredentials?.remove(credential.id);
  }
  await removeLink(platform, storeId, ledger.secrets);
}

/**
 * Wipes what a connection stored for a shop that was removed meanwhile, whose address another shop got first, or whose process ended: then a
 * webhook may be registered of which nothing is stored, and the key of the next connection finds it.
 */
export async function wipeUnservedShop(context: AppContext, storeId: string, apiKey: string): Promise<void> {
  const store = await selfServiceOf(context).registry.find(storeId);
  if (store !== null && isServed(store)) return;
  await wipeSecrets(context, storeId);
  if (apiKey === "") return;
  const { baseUrl } = context.config.service;
  const endpointId = registeredEndpointId(storeId, environmentOf({ apiKey }));
  await removeWebhook(context, { apiKey, baseUrl, endpointId });
}

/** The service would go on sending to an address where nobody listens. A key that is revoked already cannot remove it. */
async function removeWebhook(
  { config, log }: AppContext,
  { apiKey, baseUrl, endpointId }: Pick<CredentialEntry, "apiKey" | "baseUrl" | "endpointId">,
): Promise<void> {
  const url = `${config.publicUrl}/hooks/service/${endpointId}`;
  try {
    const { webhooks } = createServiceClient({ apiKey, baseUrl, deadlineMs: serverLimits.keyTrialMs });
    for await (const endpoint of webhooks.list()) {
      if (endpoint.url === url && endpoint.id !== undefined) await webhooks.delete(endpoint.id);
    }
  } catch (error) {
    log.warn("webhook_not_removed", { endpointId, code: codeOf(error) });
  }
}

/** Wipes the keys of shops that left, when their payments are finished, and after thirty days in any case. */
export function wipeLeavingShops(prefix: string, contextOf: () => AppContext): ScheduledTask {
  async function run(): Promise<void> {
    const context = contextOf();
    const { ledger, clock, log } = context;
    const { registry } = selfServiceOf(context);
    for (const storeId of await registry.ids()) {
      const store = await registry.find(storeId);
      if (store?.state !== "leaving") continue;
      const isOver = clock.now() - store.stateSince > serverLimits.leavingMs;
      if (!isOver && (await hasUnfinishedPayments(ledger, { storeId }))) continue;
      await wipeShop(context, storeId).catch((error: unknown) =>
        log.warn("shop_not_wiped", { storeId, code: codeOf(error) }),
      );
    }
  }
  const { leavingCheckMs } = serverLimits;
  return { name: `${prefix}.leaving`, firstDelayMs: leavingCheckMs, intervalMs: leavingCheckMs, run };
}
