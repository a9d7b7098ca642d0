import type { CredentialKey } from "@tillkit/core/ledger";
import type { RecordKey, SecretCipher } from "../records/secret-cipher.ts";
import type { CredentialRow } from "./credentials.ts";

type Sealed = Pick<CredentialKey, "apiKey" | "baseUrl" | "account" | "webhookSecrets">;

/** The address is sealed too, so that nobody who can write to the database can have the API key sent elsewhere. */
export function seal({ id, apiKey, baseUrl, account, webhookSecrets }: CredentialKey, cipher: SecretCipher): string {
  const sealed: Sealed = { apiKey, baseUrl, account, webhookSecrets };
  return cipher.encrypt(JSON.stringify(sealed), recordKeyOf(id));
}

export function unseal({ id, environment, endpoint_id, sealed }: CredentialRow, cipher: SecretCipher): CredentialKey {
  const content: Sealed = JSON.parse(cipher.decrypt(sealed, recordKeyOf(id)));
  return { id, environment, endpointId: endpoint_id, ...content };
}

/** What the encrypted text is bound to. */
export function recordKeyOf(id: string): RecordKey {
  return { storeId: "", kind: "credential", key: id };
}
