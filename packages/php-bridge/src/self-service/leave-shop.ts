import { codeOf } from "@tillkit/core";
import type { ScheduledTask } from "@tillkit/runtime";
import { hasUnfinishedPayments, isServed, type RegisteredStore, type StoreState } from "@tillkit/server";
import type { AppContext } from "../app-context.ts";
import { removeLink } from "../pairing/pairings.ts";
import { serverLimits } from "../server-limits.ts";
import type { ConnectionAttempt } from "./connection-attempts.ts";
import { removeWebhook } from "./remove-webhook.ts";
import { selfServiceOf } from "./self-service-shops.ts";
import { registerWebhooks } from "./service-key.ts";

/**
 * Ends a shop: it takes no more payments, and its keys are wiped once its payments are finished, at once if they are. What was paid stays in
 * the ledger. An owner cannot end a suspended shop: its address would be free, and the same shop could connect anew.
 * @returns the state of the shop then
 */
export async function leaveShop(context: AppContext, storeId: string, by: "owner" | "operator"): Promise<StoreState> {
  const { registry, invitations } = selfServiceOf(context);
  const before = await registry.find(storeId);
  // A process that ended right after it connected the shop has not spent the code, which would bring the shop back.
  if (before !== null) await invitations.spend(before.address);
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
 * The store, unless a process ended while it wiped it. Then its keys are gone, and nobody could prove any more to be its owner: it leaves now,
 * and its address is free.
 */
export async function finishLeaving(context: AppContext, store: RegisteredStore): Promise<RegisteredStore | null> {
  const { storeId, state } = store;
  if (state !== "leaving" || (await context.ledger.credentials.find({ storeId })).length > 0) return store;
  await wipeShop(context, storeId);
  return null;
}

/** Wipes what a connection stored for a shop that was removed meanwhile, whose address another shop got first, or whose process ended. */
export async function wipeUnservedShop(context: AppContext, storeId: string): Promise<void> {
  const { registry, attempts } = selfServiceOf(context);
  const store = await registry.find(storeId);
  if (store === null || !isServed(store)) await wipeSecrets(context, storeId);
  await attempts.end(storeId);
}

/**
 * Wipes the keys of shops that left, when their payments are finished, and after thirty days in any case. Ends connections whose process died
 * and whose owner did not come back.
 */
export function wipeLeavingShops(prefix: string, contextOf: () => AppContext): ScheduledTask {
  async function run(): Promise<void> {
    const context = contextOf();
    const { registry, attempts } = selfServiceOf(context);
    const tryFor = async (storeId: string, work: () => Promise<void>) =>
      await work().catch((error: unknown) => context.log.warn("shop_not_wiped", { storeId, code: codeOf(error) }));
    for (const storeId of await registry.ids()) await tryFor(storeId, () => wipeIfFinished(context, storeId));
    for (const attempt of await attempts.list()) await tryFor(attempt.storeId, () => endIfOver(context, attempt));
  }
  const { leavingCheckMs } = serverLimits;
  return { name: `${prefix}.leaving`, firstDelayMs: leavingCheckMs, intervalMs: leavingCheckMs, run };
}

async function wipeIfFinished(context: AppContext, storeId: string): Promise<void> {
  const { ledger, clock } = context;
  const store = await selfServiceOf(context).registry.find(storeId);
  if (store?.state !== "leaving") return;
  const isOver = clock.now() - store.stateSince > serverLimits.leavingMs;
  if (isOver || !(await hasUnfinishedPayments(ledger, { storeId }))) await wipeShop(context, storeId);
}

/** A shop that moves may come back for a day without its link secret. A webhook whose secret is not known is registered anew soon. */
async function endIfOver(context: AppContext, { storeId, startedAt, isRegistering }: ConnectionAttempt): Promise<void> {
  const store = await selfServiceOf(context).registry.find(storeId);
  const isShop = store !== null && isServed(store);
  const { attemptMs, leavingCheckMs } = serverLimits;
  const age = context.clock.now() - startedAt;
  if (age < (isShop && !isRegistering ? attemptMs : leavingCheckMs)) return;
  // A key that was revoked meanwhile registers nothing: it is not tried for ever.
  if (isShop && isRegistering && age < attemptMs) await registerWebhooks(context, storeId);
  await wipeUnservedShop(context, storeId);
}
