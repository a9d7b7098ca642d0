import type { CredentialKey, CredentialLookup, Credentials } from "../ports/credentials.ts";
import { frozenCopy } from "./frozen-copy.ts";
import { pairKey } from "./pair-key.ts";

type StoredCredential = CredentialKey & { readonly changedAt: number };

export function createMemoryCredentials(): Credentials {
  const credentials = new Map<string, StoredCredential>();
  /** The credential of each store and environment. */
  const owners = new Map<string, { readonly storeId: string; readonly id: string }>();
  let version = 0;

  const isWanted = (credential: CredentialKey, by: CredentialLookup) => {
    if ("id" in by) return credential.id === by.id;
    if ("endpointId" in by) return credential.endpointId === by.endpointId;
    return owners.get(pairKey(credential.environment, by.storeId))?.id === credential.id;
  };
  const find = (isFound: (credential: CredentialKey) => boolean) =>
    [...credentials.values()]
      .filter(isFound)
      .sort((left, right) => right.changedAt - left.changedAt)
      .map(({ changedAt: _, ...credential }) => credential);
  const leaveStores = (id: string) => {
    for (const [key, owner] of owners) if (owner.id === id) owners.delete(key);
  };

  return {
    version: async () => version,
    find: async (by) => find((credential) => isWanted(credential, by)),
    async list({ storeId } = {}) {
      const storesOf = (id: string) => [...owners.values()].filter((owner) => owner.id === id);
      return find((credential) => storeId === undefined || isWanted(credential, { storeId })).map((credential) => {
        const storeIds = storesOf(credential.id).map((owner) => owner.storeId);
        return { ...credential, storeIds: storeIds.sort() };
      });
    },
    async put({ storeIds, webhookSecrets, ...change }) {
      const { id, environment, endpointId } = change;
      const before = credentials.get(id);
      if (before && (before.environment !== environment || before.account !== change.account)) return "other_key";
      const others = find((other) => other.endpointId === endpointId && other.environment !== environment);
      if (others.length > 0) return "mixed_endpoint";
      const secrets = webhookSecrets === "kept" ? (before?.webhookSecrets ?? []) : webhookSecrets;
      version += 1;
      credentials.set(id, frozenCopy({ ...change, webhookSecrets: secrets, changedAt: version }));
      leaveStores(id);
      for (const storeId of storeIds) owners.set(pairKey(environment, storeId), { storeId, id });
      return "done";
    },
    async remove(id) {
      version += 1;
      credentials.delete(id);
      leaveStores(id);
    },
  };
}
