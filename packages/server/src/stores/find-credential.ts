import type { CredentialConfig, Environment, PaymentLedger } from "@tillkit/core";
import type { Tenants } from "@tillkit/core/hosts";
import { canList } from "@tillkit/runtime";
import type { StoredCredentials, TenantsOptions } from "./open-tenants.ts";

/** What a sentence about a credential needs. The key itself is never shown. */
export type KnownCredential = Pick<CredentialConfig, "apiKey" | "baseUrl"> & {
  readonly id: string;
  readonly environment: Environment;
  readonly storeIds: readonly string[];
};

export type CredentialDirectory = {
  find(credentialId: string): Promise<KnownCredential | null>;
  /** The credentials of this server, at most this many. */
  list(limit: number): Promise<readonly KnownCredential[]>;
};

type DirectoryOptions = Pick<TenantsOptions, "credentials"> & {
  readonly ledger: PaymentLedger;
  readonly tenants: Tenants;
  readonly storedCredentials: StoredCredentials | null;
};

export function createCredentialDirectory({
  credentials,
  ledger,
  tenants,
  ...options
}: DirectoryOptions): CredentialDirectory {
  if (credentials !== "stored") {
    const all = async () => await Promise.all(credentials.map((credential) => withId(credential, tenants)));
    return {
      find: async (credentialId) => (await all()).find(({ id }) => id === credentialId) ?? null,
      list: async (limit) => (await all()).slice(0, limit),
    };
  }
  async function find(id: string): Promise<KnownCredential | null> {
    const [entry] = canList(ledger) ? await ledger.credentials.find({ id }) : [];
    return entry === undefined ? null : { ...entry, storeIds: [] };
  }
  return {
    find,
    async list(limit) {
      const stored = ((await options.storedCredentials?.list()) ?? []).slice(0, limit);
      const found = await Promise.all(stored.map(({ id }) => find(id)));
      return found.filter((credential) => credential !== null);
    },
  };
}

/** A credential without an id of its own has one that is derived from its key. */
async function withId(credential: CredentialConfig, tenants: Tenants): Promise<KnownCredential> {
  const { apiKey, baseUrl, storeIds } = credential;
  const environment = apiKey.startsWith("svc_sk_live_") ? "live" : "test";
  const { id } = await tenants.credentialFor(storeIds[0] ?? "", environment);
  return { apiKey, baseUrl, storeIds, environment, id };
}
