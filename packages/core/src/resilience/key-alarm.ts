import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";

/** Says in the log that the service refuses an API key, at most once in `limits.keyAlarmMs` for each key. */
export type KeyAlarm = {
  /** `code`: the service's error code; any other value is ignored. */
  refused(credentialId: string, code: string | undefined): void;
};

const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: "The service refuses this API key. Set a valid key under the same credential id and restart.",
  api_access_suspended: "The service has suspended API access for this key. Ask the service's support.",
};

export function createKeyAlarm({ log, clock }: { readonly log: Log; readonly clock: Clock }): KeyAlarm {
  const saidAt = new Map<string, number>();
  return {
    refused(credentialId, code = "") {
      const advice = ADVICE[code];
      const now = clock.now();
      const ageMs = now - (saidAt.get(credentialId) ?? Number.NEGATIVE_INFINITY);
      // A negative age is unknown: the clock was set back since.
      if (advice === undefined || (ageMs >= 0 && ageMs < limits.keyAlarmMs)) return;
      saidAt.set(credentialId, now);
      log.error("credential.refused", { credentialId, code, reason: advice });
    },
  };
}

/** The code of the service's own error behind an error of the engine. */
export function serviceCodeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("cause" in error)) return undefined;
  const { cause } = error;
  return serviceCodeOf(cause) ?? (cause === undefined ? undefined : codeOf(cause));
}
