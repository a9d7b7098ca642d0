import { codeOf, type Engine } from "@tillkit/core";
import { type FindWarnings, warningText } from "../attention/warnings.ts";
import { serverLimits } from "../limits.ts";
import type { RefusedKeys } from "../observability/refused-keys.ts";
import type { CredentialDirectory } from "./find-credential.ts";

type TryKeysOptions = {
  readonly engine: Pick<Engine, "tenants" | "log">;
  readonly credentials: CredentialDirectory;
  readonly refusedKeys: RefusedKeys;
  readonly findWarnings: FindWarnings;
};

/**
 * Tries the API keys when a server starts, each with one cheap read, and logs what must be changed: a wrong key would otherwise be found by
 * the first shopper. A service that does not answer says nothing about its key.
 */
export async function tryKeys({ engine, credentials, refusedKeys, findWarnings }: TryKeysOptions): Promise<void> {
  const { tenants, log } = engine;
  try {
    for (const { id, environment } of await credentials.list(serverLimits.maxTriedKeys)) {
      const service = await tenants.service(id);
      const reading = await service.tryKey?.(serverLimits.keyTrialTimeoutMs).catch((error: unknown) => {
        log.warn("credential.not_tried", { credentialId: id, code: codeOf(error) });
      });
      if (reading) refusedKeys.recordTrial(id, environment, reading);
    }
    for (const warning of await findWarnings()) {
      if (warning.code === "host") continue;
      const level = warning.code === "test_key" ? "warn" : "error";
      log[level]("server.warning", { code: warning.code, reason: warningText(warning, "en") });
    }
  } catch (error) {
    log.warn("credential.not_tried", { code: codeOf(error) });
  }
}
