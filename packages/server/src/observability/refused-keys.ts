import type { ServiceCall } from "@tillkit/runtime";

/** The API keys that the service has refused with its last answer to this process. */
export type RefusedKeys = {
  recordServiceCall(call: Pick<ServiceCall, "credentialId" | "status">): void;
  /** One sentence for each refused key, for `/readyz` and the alerts. */
  warnings(): readonly string[];
};

export function createRefusedKeys(): RefusedKeys {
  const refused = new Set<string>();
  return {
    recordServiceCall({ credentialId, status }) {
      if (status === 401) refused.add(credentialId);
      // A call without an answer says nothing about its key.
      else if (status !== undefined) refused.delete(credentialId);
    },
    warnings: () => [...refused].map(sentenceOf),
  };
}

function sentenceOf(credentialId: string): string {
  return `The service refuses the API key of the credential ${credentialId}: it was revoked, replaced or mistyped. Put a valid key in its place and keep the credential's id; until then its payments cannot be opened, read or refunded.`;
}
