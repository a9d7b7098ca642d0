import type { Language } from "@tillkit/core";
import type { FoundCopy } from "@tillkit/core/hosts";
import { warningTexts } from "./warning-texts.ts";

/**
 * What an operator must change soon. `setting`: the environment variable to change; null where the value comes from elsewhere.
 * `webhooks_refused`: the webhooks of an endpoint are refused although they are about our payments. `key_refused`: the service refuses an API
 * key. `test_key`: in production a store has no other key than a test key. `keys_differ`: another process on the same ledger signs with
 * other keys. `copy`: a shop, or this server, runs at an address that is none of the original's, and refunds nothing there until a person
 * has said whether it moved. `host`: a sentence of the host.
 */
export type Warning =
  | {
      readonly code: "webhooks_refused";
      readonly endpointId: string;
      readonly lastAt: number;
      readonly setting: string | null;
    }
  | {
      readonly code: "key_refused";
      readonly credentialId: string;
      readonly problem: KeyProblem;
      /** The host of the service, as it is configured; null where the credential is gone. */
      readonly host: string | null;
      readonly setting: string | null;
    }
  | { readonly code: "test_key"; readonly storeId: string; readonly setting: string | null }
  | { readonly code: "keys_differ" }
  | ({ readonly code: "copy" } & FoundCopy)
  | { readonly code: "host"; readonly message: string };

export type FindWarnings = () => Promise<readonly Warning[]>;

/** `environment_differs`: the address answers with accounts of the other environment. `live_at_sandbox`: a live key at a sandbox of this machine. */
export type KeyProblem = "unauthorized" | "api_access_suspended" | "environment_differs" | "live_at_sandbox";

/** What a warning is about: the same for as long as it lasts. */
export function warningKey(warning: Warning): readonly string[] {
  switch (warning.code) {
    case "webhooks_refused":
      return [warning.code, warning.endpointId];
    case "key_refused":
      return [warning.code, warning.credentialId];
    case "test_key":
      return [warning.code, warning.storeId];
    case "copy":
      return [warning.code, warning.storeId, warning.address];
    case "host":
      return [warning.code, warning.message];
    default:
      return [warning.code];
  }
}

export function warningText(warning: Warning, language: Language): string {
  const texts = warningTexts[language];
  switch (warning.code) {
    case "webhooks_refused":
      return texts.webhooksRefused(warning);
    case "key_refused":
      return texts.keyRefused[warning.problem](
        warning.setting ?? texts.keyOf(warning.credentialId),
        warning.host ?? texts.anotherHost,
        warning.credentialId,
      );
    case "test_key":
      return texts.testKey(warning.setting ?? texts.keyOfStore(warning.storeId));
    case "copy":
      return texts.copy(warning);
    case "host":
      return warning.message;
    default:
      return texts.keysDiffer;
  }
}
