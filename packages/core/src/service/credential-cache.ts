import { evictOldest } from "../domain/evict-oldest.ts";
import type { Clock } from "../ports/clock.ts";
import type { CredentialKey, CredentialLookup, Credentials } from "../ports/credentials.ts";

const FRESH_MS = 5_000;
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Credentials by what they were looked up with. One read of the version every five seconds tells whether anything has changed; then
 * each credential is read again when it is needed. What was read before is served as it is while the ledger is unavailable.
 */
export function createCredentialCache(credentials: Credentials, clock: Clock) {
  const lookups = new Map<string, { readonly version: number; readonly found: readonly CredentialKey[] }>();
  let version: number | null = null;
  let checkedAt = NEVER;
  let checking: Promise<number> | null = null;

  async function check(): Promise<number> {
    version = await credentials.version();
    checkedAt = clock.now();
    return version;
  }

  async function currentVersion(): Promise<number> {
    const age = clock.now() - checkedAt;
    // A negative age is unknown: the clock was set back since.
    if (version !== null && age >= 0 && age < FRESH_MS) return version;
    checking ??= check().finally(() => {
      checking = null;
    });
    try {
      return await checking;
    } catch (error) {
      if (version === null) throw error;
      return version;
    }
  }

  return {
    async find(by: CredentialLookup): Promise<readonly CredentialKey[]> {
      const name = JSON.stringify(by);
      const current = await currentVersion();
      const cached = lookups.get(name);
      if (cached?.version === current) return cached.found;
      try {
        const found = await credentials.find(by);
        lookups.delete(name);
        // The stores and endpoints that nobody has configured must not fill the cache.
        if (found.length > 0) lookups.set(name, { version: current, found });
        evictOldest(lookups);
        return found;
      } catch (error) {
        if (!cached) throw error;
        return cached.found;
      }
    },
    /** The next read asks for the version, because this process has changed something. */
    expire(): void {
      checkedAt = NEVER;
    },
  };
}
