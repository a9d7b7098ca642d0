import { randomBytes } from "node:crypto";
import type { Records } from "@tillkit/core";
import { z } from "zod";
import { endpointOf, environmentOf } from "../config/credentials.ts";
import type { ConfiguredStore, StoreConfig } from "../config/schema.ts";

const LINK = { kind: "woo-pairing", key: "link" };
const WEBHOOK_KIND = "woo-webhook";

const linkSchema = z.object({ linkSecret: z.string().min(32), previousLinkSecret: z.string().min(32).optional() });
const webhookSchema = z.object({ secret: z.string().startsWith("whsec_") });

/** What reading the secrets of a pairing needs. */
export type ReadRecords = Pick<Records, "get" | "list">;

/** Whether the configuration leaves the secrets of this shop to a pairing. */
export function isPairable({ linkSecret }: Pick<ConfiguredStore, "linkSecret">): boolean {
  return linkSecret === undefined;
}

/** Stands for a secret that no pairing has made yet. Nobody knows this value, so every signature is refused. */
const UNKNOWN_SECRET = randomBytes(32).toString("hex");

/** The shop with all its secrets: those of the configuration, else those of its pairing. */
export async function resolveStore(store: ConfiguredStore, secrets: ReadRecords): Promise<StoreConfig> {
  const link = isPairable(store) ? await readLink(store.id, secrets) : null;
  const webhookSecret = store.webhookSecrets === undefined ? await readWebhookSecret(store, secrets) : null;
  return {
    ...store,
    linkSecret: store.linkSecret ?? link?.linkSecret ?? UNKNOWN_SECRET,
    previousLinkSecret: store.previousLinkSecret ?? link?.previousLinkSecret,
    webhookSecrets: store.webhookSecrets ?? [webhookSecret ?? `whsec_${UNKNOWN_SECRET}`],
  };
}

/** Whether the owner has to pair the shop before anybody can pay. */
export async function isUnpaired(store: ConfiguredStore, secrets: Records): Promise<boolean> {
  if (isPairable(store) && (await readLink(store.id, secrets)) === null) return true;
  return store.webhookSecrets === undefined && (await readWebhookSecret(store, secrets)) === null;
}

/** The ids of the shops that their owners have to pair. */
export async function unpairedOf(configured: readonly ConfiguredStore[], secrets: Records): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const store of configured) if (await isUnpaired(store, secrets)) ids.push(store.id);
  return ids;
}

/** Whether the shop answers our calls about orders: a pairing, the configuration or a REST key opens the way. */
export function isReachable({ linkSecret, consumerKey }: StoreConfig): boolean {
  return linkSecret !== UNKNOWN_SECRET || consumerKey !== undefined;
}

/** Stores a new link secret. The previous secret stays valid, because links and calls in progress are signed with it. */
export async function saveLinkSecret(storeId: string, linkSecret: string, secrets: Records): Promise<void> {
  const stored = await secrets.get(storeId, LINK.kind, LINK.key);
  const before = linkSchema.safeParse(stored?.value);
  const value = { linkSecret, ...(before.success ? { previousLinkSecret: before.data.linkSecret } : {}) };
  const result = await secrets.put(storeId, LINK.kind, LINK.key, value, stored?.version ?? "new");
  if (result === "stale") await saveLinkSecret(storeId, linkSecret, secrets);
}

/** Shops with the same endpoint share its secret. Test and live mode of the service each have a webhook of their own. */
export async function saveWebhookSecret(store: ConfiguredStore, secret: string, secrets: Records): Promise<void> {
  const key = webhookKeyOf(store);
  const stored = await secrets.get(store.id, WEBHOOK_KIND, key);
  await secrets.put(store.id, WEBHOOK_KIND, key, { secret }, stored?.version ?? "new");
}

export async function readWebhookSecret(store: ConfiguredStore, secrets: ReadRecords): Promise<string | null> {
  const wanted = webhookKeyOf(store);
  const rows = await secrets.list({ kind: WEBHOOK_KIND, limit: 1_000 });
  const row = rows.find(({ key }) => key === wanted);
  const parsed = webhookSchema.safeParse(row?.value);
  return parsed.success ? parsed.data.secret : null;
}

function webhookKeyOf(store: ConfiguredStore): string {
  return `${endpointOf(store)}-${environmentOf(store)}`;
}

async function readLink(storeId: string, secrets: ReadRecords): Promise<z.infer<typeof linkSchema> | null> {
  const parsed = linkSchema.safeParse((await secrets.get(storeId, LINK.kind, LINK.key))?.value);
  return parsed.success ? parsed.data : null;
}
