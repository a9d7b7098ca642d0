import type { AppContext, ConnectedStore } from "./app-context.ts";
import type { LinkSecrets } from "./signature.ts";

/**
 * The shop of a signed request. Where no secret matches, another process may have paired the shop a moment ago: its secrets are
 * read again first. The caller still verifies the signature with the secrets of the result.
 */
export async function findSigner(
  { shops, refreshStores }: Pick<AppContext, "shops" | "refreshStores">,
  storeId: string,
  isSigned: (secrets: LinkSecrets) => boolean,
): Promise<ConnectedStore | undefined> {
  const known = await shops.find(storeId);
  if (known === undefined || isSigned(known.linkSecrets)) return known;
  await refreshStores();
  return await shops.find(storeId);
}
