import process from "node:process";
import type { Engine } from "@tillkit/core";
import { listCopies } from "@tillkit/core/hosts";
import { canList, type RefusedWebhooks, variableOf } from "@tillkit/runtime";
import type { FindWarnings, Warning } from "../attention/warnings.ts";
import type { RefusedKeys } from "../observability/refused-keys.ts";
import type { CheckoutServerOptions } from "../options/checkout-options.ts";
import { createCredentialDirectory } from "../stores/find-credential.ts";
import { createKeyAgreement } from "../stores/key-agreement.ts";
import type { StoredCredentials } from "../stores/open-tenants.ts";
import { tryKeys } from "../stores/try-keys.ts";
import { createFindWarnings } from "./find-warnings.ts";

type WarningParts = {
  readonly engine: Engine;
  readonly keys: readonly string[];
  readonly refusedKeys: RefusedKeys;
  readonly refusedWebhooks: RefusedWebhooks;
  readonly storedCredentials: StoredCredentials | null;
};

/** What an operator must change soon, and the trial of the API keys when the server starts. */
export type ServerWarnings = { readonly find: FindWarnings; tryKeys(): Promise<void> };

export function createServerWarnings(options: CheckoutServerOptions, parts: WarningParts): ServerWarnings {
  const { ledger } = options;
  const { engine, keys, refusedKeys, refusedWebhooks, storedCredentials } = parts;
  const { tenants, clock } = engine;
  const credentials = createCredentialDirectory({
    credentials: options.credentials,
    ledger,
    tenants,
    storedCredentials,
  });
  const find = createFindWarnings({
    ofHost: async () => (await options.warnings?.()) ?? [],
    refusedKeys,
    refusedWebhooks,
    credentials,
    testKeys: testKeyWarnings(options),
    areKeysDifferent: createKeyAgreement(ledger, keys, clock),
    async copies() {
      // The first look after a start notes where this server runs.
      if (engine.publicUrl !== null) await engine.installations.originalOf("", engine.publicUrl);
      return canList(ledger) ? await listCopies(ledger.records) : [];
    },
  });
  return { find, tryKeys: () => tryKeys({ engine, credentials, refusedKeys, findWarnings: find }) };
}

/** Owners change stored keys while the server runs, and begin with a test key, so only configured keys are looked at. */
function testKeyWarnings({ credentials, production = process.env.NODE_ENV === "production" }: CheckoutServerOptions) {
  if (!production || credentials === "stored") return [];
  const isLive = ({ apiKey }: { readonly apiKey: string }) => apiKey.startsWith("svc_sk_live_");
  const withLiveKey = new Set(credentials.filter(isLive).flatMap(({ storeIds }) => storeIds));
  return credentials.flatMap(({ storeIds, apiKey }) =>
    storeIds
      .filter((storeId) => !withLiveKey.has(storeId))
      .map((storeId): Extract<Warning, { code: "test_key" }> => {
        return { code: "test_key", storeId, setting: variableOf(apiKey) };
      }),
  );
}
