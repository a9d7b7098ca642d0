import type { Environment } from "../domain/order.ts";

/** One API key of the service, the stores that use it, and the webhook endpoint that receives its events. */
export type CredentialConfig = {
  readonly storeIds: readonly string[];
  /** The secret key, `svc_sk_test_…` or `svc_sk_live_…`. The prefix decides the environment. */
  readonly apiKey: string;
  readonly baseUrl: string;
  /** The Member Account `acct_…`, needed only with an Operator's key. */
  readonly account?: string | undefined;
  /** The last segment of the webhook URL, `/hooks/service/{endpointId}`. */
  readonly endpointId: string;
  /** The secrets `whsec_…`. There are several while a secret is rotated. */
  readonly webhookSecrets: readonly string[];
  /**
   * The id that is stored with every payment. Set it if you rotate keys: a new key with the same id can read the old sessions.
   * Default: derived from the key.
   */
  readonly id?: string | undefined;
};

/** A validated configuration. */
export type CredentialEntry = CredentialConfig & { readonly id: string; readonly environment: Environment };

/** A credential without its stores, of which one key may have thousands. */
export type CredentialKey = Omit<CredentialEntry, "storeIds">;

/** `kept`: the webhook secrets that are stored under this id, or none. */
export type KeptSecrets = { readonly webhookSecrets: readonly string[] | "kept" };

export type CredentialChange = Omit<CredentialEntry, "webhookSecrets"> & KeptSecrets;

/**
 * The credentials that a ledger stores, encrypted at rest. A store has at most one credential of each environment. Every change is
 * one transaction, which counts the version up: a process hears of every change by reading the version, also when the process that
 * made the change ended right after it.
 */
export interface Credentials {
  version(): Promise<number>;
  /** The changed last first. */
  find(by: CredentialLookup): Promise<readonly CredentialKey[]>;
  /** All credentials, or those of one store, the changed last first. */
  list(filter?: { readonly storeId?: string }): Promise<readonly CredentialEntry[]>;
  /**
   * Adds or replaces the credential with this id. Its stores leave their former credentials of the same environment, which stay.
   * `other_key`: the id belongs to another environment or account. `mixed_endpoint`: the endpoint belongs to the other environment.
   */
  put(change: CredentialChange): Promise<"done" | "other_key" | "mixed_endpoint">;
  remove(id: string): Promise<void>;
}

export type CredentialLookup = { readonly id: string } | { readonly storeId: string } | { readonly endpointId: string };
