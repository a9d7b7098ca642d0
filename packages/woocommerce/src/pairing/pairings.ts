import { randomBytes } from "node:crypto";
import type { Ledger } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { z } from "zod";
import { credentialIdOf } from "../config/credentials.ts";
import type { ConfiguredStore, StoreConfig } from "../config/schema.ts";

const LINK = { kind: "woo-pairing", key: "link" };

const linkSchema = z.object({ linkSecret: z.string().min(32), previousLinkSecret: z.string().min(32).optional() });

/** Where the secrets of pairings are: each shop's link is a record, and the webhook secrets belong to the credential of the shop. */
export type PairingLedger = {
  readonly secrets: Pick<Records, "get">;
  readonly credentials: Pick<Ledger["credentials"], "find">;
};

/** Whether the configuration leaves the secrets of this shop to a pairing. */
export function isPairable({ linkSecret }: Pick<ConfiguredStore, "linkSecret">): boolean {
  return linkSecret === undefined;
}

/** Stands for a secret that no pairing has made yet. Nobody knows this value, so every signature is refused. */
const UNKNOWN_SECRET = randomBytes(32).toString("hex");

/** The shop with its link secrets: those of the configuration, else those of its pairing. */
export async function resolveStore(store: ConfiguredStore, secrets: PairingLedger["secrets"]): Promise<StoreConfig> {
  const link = isPairable(store) ? await readLink(store.id, secrets) : null;
  return {
    ...store,
    linkSecret: store.linkSecret ?? link?.linkSecret ?? UNKNOWN_SECRET,
    previousLinkSecret: store.previousLinkSecret ?? link?.previousLinkSecret,
  };
}

/** Those of the configuration, else those that a pairing registered. */
export async function webhookSecretsOf(
  store: ConfiguredStore,
  { credentials }: Pick<PairingLedger, "credentials">,
): Promise<readonly string[]> {
  if (store.webhookSecrets !== undefined) return store.webhookSecrets;
  const [credential] = await credentials.find({ id: credentialIdOf(store) });
  return credential?.webhookSecrets ?? [];
}

/** The ids of the shops that their owners have to pair before anybody can pay. */
export async function unpairedOf(
  configured: readonly ConfiguredStore[],
  ledger: PairingLedger,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const store of configured) {
    const isLinked = !isPairable(store) || (await isPaired(store.id, ledger.secrets));
    if (!isLinked || (await webhookSecretsOf(store, ledger)).length === 0) ids.push(store.id);
  }
  return ids;
}

/** Whether a pairing has ever stored a link secret of the shop. */
export async function isPaired(storeId: string, secrets: PairingLedger["secrets"]): Promise<boolean> {
  return (await readLink(storeId, secrets)) !== null;
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

/** Forgets the link secrets of a shop: from now on nothing that it signed is accepted. */
export async function removeLink(storeId: string, secrets: Records): Promise<void> {
  const stored = await secrets.get(storeId, LINK.kind, LINK.key);
  if (stored !== null) await secrets.remove(storeId, LINK.kind, LINK.key, stored.version);
}

export async function readLink(
  storeId: string,
  secrets: PairingLedger["secrets"],
): Promise<z.infer<typeof linkSchema> | null> {
  const parsed = linkSchema.safeParse((await secrets.get(storeId, LINK.kind, LINK.key))?.value);
  return parsed.success ? parsed.data : null;
}
