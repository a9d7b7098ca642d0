import type { Records } from "@tillkit/core/ledger";
import type { StoredCredentials } from "@tillkit/server";
import { environmentOf, type ShopCredential } from "../config/credentials.ts";
import type { BridgedPlatform } from "../platform.ts";

/** Stores the credentials of the configuration. The webhook secrets of pairings stay. */
export async function storeCredentials(
  stored: StoredCredentials,
  configured: readonly ShopCredential[],
  secrets: Records,
  { prefix }: Pick<BridgedPlatform, "prefix">,
): Promise<void> {
  const before = await stored.list();
  for (const credential of configured) {
    // A shop that goes live keeps its endpoint, which then gets the events of the other environment only.
    const former = before.find(({ id, endpointId }) => endpointId === credential.endpointId && id !== credential.id);
    if (former && former.environment !== environmentOf(credential)) await stored.remove(former.id);
    await stored.put(credential);
  }
  await moveWebhookSecrets(stored, configured, secrets, `${prefix}-webhook`);
}

/** An earlier version stored the webhook secret of a pairing as a record of the shop, under the id of the credential. */
async function moveWebhookSecrets(
  stored: StoredCredentials,
  configured: readonly ShopCredential[],
  secrets: Records,
  kind: string,
): Promise<void> {
  for (const { storeId, key, value, version } of await secrets.list({ kind, limit: 1_000 })) {
    const credential = configured.find(({ id }) => id === key);
    const { secret } = value as { readonly secret: string };
    if (credential?.webhookSecrets === "kept") await stored.put({ ...credential, webhookSecrets: [secret] });
    await secrets.remove(storeId, kind, key, version);
  }
}
