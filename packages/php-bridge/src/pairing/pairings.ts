import { randomBytes } from "node:crypto";
import type { Ledger } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { z } from "zod";
import { credentialIdOf } from "../config/credentials.ts";
import type { ConfiguredStore, StoreConfig } from "../config/schema.ts";
import type { BridgedPlatform } from "../platform.ts";
import { serverLimits } from "../server-limits.ts";

/** The record of a pairing. Its kind names the platform. */
type Owner = Pick<BridgedPlatform, "prefix">;

const LINK_KEY = "link";

function linkKind({ prefix }: Owner): string {
  return `${prefix}-pairing`;
}

/** `replacedAt`: when the present secret took the place of the previous one. Milliseconds since 1970. */
const linkSchema = z.object({
  linkSecret: z.string().min(32),
  previousLinkSecret: z.string().min(32).optional(),
  replacedAt: z.number().optional(),
});

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
export async function resolveStore<Store extends ConfiguredStore>(
  platform: Owner,
  store: Store,
  secrets: PairingLedger["secrets"],
  now: number,
): Promise<Store & StoreConfig> {
  const link = isPairable(store) ? await readLink(platform, store.id, secrets, now) : null;
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
  platform: Owner,
  configured: readonly ConfiguredStore[],
  ledger: PairingLedger,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const store of configured) {
    const isLinked = !isPairable(store) || (await isPaired(platform, store.id, ledger.secrets));
    if (!isLinked || (await webhookSecretsOf(store, ledger)).length === 0) ids.push(store.id);
  }
  return ids;
}

/** Whether a pairing has ever stored a link secret of the shop. */
export async function isPaired(platform: Owner, storeId: string, secrets: PairingLedger["secrets"]): Promise<boolean> {
  return (await readLink(platform, storeId, secrets, 0)) !== null;
}

/** Whether the configuration or a pairing gives the shop a link secret, so that it answers our calls about orders. */
export function isLinked({ linkSecret }: StoreConfig): boolean {
  return linkSecret !== UNKNOWN_SECRET;
}

/** Stores a new link secret. The previous secret stays valid for a day, because links and calls in progress are signed with it. */
export async function saveLinkSecret(
  platform: Owner,
  storeId: string,
  linkSecret: string,
  secrets: Records,
  now: number,
): Promise<void> {
  const stored = await secrets.get(storeId, linkKind(platform), LINK_KEY);
  const before = linkSchema.safeParse(stored?.value);
  const previous = before.success ? { previousLinkSecret: before.data.linkSecret, replacedAt: now } : {};
  const value = { linkSecret, ...previous };
  const result = await secrets.put(storeId, linkKind(platform), LINK_KEY, value, stored?.version ?? "new");
  if (result === "stale") await saveLinkSecret(platform, storeId, linkSecret, secrets, now);
}

/** Forgets the link secrets of a shop: from now on nothing that it signed is accepted. */
export async function removeLink(platform: Owner, storeId: string, secrets: Records): Promise<void> {
  const stored = await secrets.get(storeId, linkKind(platform), LINK_KEY);
  if (stored !== null) await secrets.remove(storeId, linkKind(platform), LINK_KEY, stored.version);
}

/** The secrets that are valid at this time; null for a shop that nobody has paired. */
export async function readLink(
  platform: Owner,
  storeId: string,
  secrets: PairingLedger["secrets"],
  now: number,
): Promise<Pick<StoreConfig, "linkSecret" | "previousLinkSecret"> | null> {
  const parsed = linkSchema.safeParse((await secrets.get(storeId, linkKind(platform), LINK_KEY))?.value);
  if (!parsed.success) return null;
  const { linkSecret, previousLinkSecret, replacedAt = now } = parsed.data;
  const isOver = previousLinkSecret === undefined || now - replacedAt > serverLimits.previousLinkMs;
  return isOver ? { linkSecret } : { linkSecret, previousLinkSecret };
}
