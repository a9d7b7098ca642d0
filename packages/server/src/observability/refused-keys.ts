import type { KeyReading } from "@tillkit/core/hosts";
import type { ServiceCall } from "@tillkit/runtime";

/** The API keys that the service has refused with its last answer to this process, by the id of their credential. */
export type RefusedKeys = {
  recordServiceCall(call: Pick<ServiceCall, "credentialId" | "status" | "code">): void;
  /** `environment`: of the key. */
  recordTrial(credentialId: string, environment: string, reading: KeyReading): void;
  list(): readonly RefusedKey[];
};

export type RefusedKey = { readonly credentialId: string; readonly problem: RefusedKeyProblem };
type RefusedKeyProblem = "unauthorized" | "api_access_suspended" | "environment_differs";

export function createRefusedKeys(): RefusedKeys {
  const refused = new Map<string, RefusedKeyProblem>();
  const misplaced = new Set<string>();
  return {
    recordServiceCall({ credentialId, status, code }) {
      if (code === "api_access_suspended") refused.set(credentialId, code);
      else if (status === 401) refused.set(credentialId, "unauthorized");
      // A call without an answer says nothing about its key.
      else if (status !== undefined) refused.delete(credentialId);
    },
    recordTrial(credentialId, environment, reading) {
      const isMisplaced =
        reading.isAccepted && reading.environment !== undefined && reading.environment !== environment;
      if (isMisplaced) misplaced.add(credentialId);
      else misplaced.delete(credentialId);
    },
    list: () => [
      ...[...refused].map(([credentialId, problem]) => ({ credentialId, problem })),
      ...[...misplaced].map((credentialId) => ({ credentialId, problem: "environment_differs" as const })),
    ],
  };
}
