import { isLoopbackUrl, parseUrl } from "@tillkit/client";
import type { FoundCopy } from "@tillkit/core/hosts";
import { type RefusedWebhooks, variableOf } from "@tillkit/runtime";
import type { FindWarnings, KeyProblem, Warning } from "../attention/warnings.ts";
import type { RefusedKey, RefusedKeys } from "../observability/refused-keys.ts";
import type { CredentialDirectory, KnownCredential } from "../stores/find-credential.ts";

export type WarningSources = {
  /** The host's own sentences. */
  readonly ofHost: () => Promise<readonly string[]>;
  readonly refusedKeys: RefusedKeys;
  readonly refusedWebhooks: RefusedWebhooks;
  readonly credentials: CredentialDirectory;
  /** The stores that have test keys only, in production. */
  readonly testKeys: readonly Extract<Warning, { code: "test_key" }>[];
  readonly areKeysDifferent: () => Promise<boolean>;
  readonly copies: () => Promise<readonly FoundCopy[]>;
};

export function createFindWarnings(sources: WarningSources): FindWarnings {
  const { ofHost, refusedKeys, refusedWebhooks, credentials, testKeys, areKeysDifferent, copies } = sources;
  return async function findWarnings() {
    const [refused, keys, messages, keysDiffer, found] = await Promise.all([
      refusedWebhooks.list(),
      Promise.all(refusedKeys.list().map((key) => describeKey(key, credentials))),
      ofHost(),
      areKeysDifferent(),
      copies(),
    ]);
    return [
      ...refused.map((endpoint) => ({ code: "webhooks_refused" as const, ...endpoint })),
      ...keys,
      ...(keysDiffer ? [{ code: "keys_differ" as const }] : []),
      ...found.map((copy) => ({ code: "copy" as const, ...copy })),
      ...testKeys,
      ...messages.map((message) => ({ code: "host" as const, message })),
    ];
  };
}

async function describeKey({ credentialId, problem }: RefusedKey, credentials: CredentialDirectory): Promise<Warning> {
  const credential = await credentials.find(credentialId);
  return {
    code: "key_refused",
    credentialId,
    problem: credential ? problemOf(credential, problem) : problem,
    host: credential && (parseUrl(credential.baseUrl)?.host ?? null),
    setting: credential && variableOf(credential.apiKey),
  };
}

/** A sandbox of this machine does not know the live keys of the service. */
function problemOf({ environment, baseUrl }: KnownCredential, problem: RefusedKey["problem"]): KeyProblem {
  const isLiveAtSandbox = problem === "unauthorized" && environment === "live" && isLoopbackUrl(baseUrl);
  return isLiveAtSandbox ? "live_at_sandbox" : problem;
}
