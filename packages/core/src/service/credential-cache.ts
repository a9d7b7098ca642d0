import { evictOldest } from "../domain/evict-oldest.ts";
import type { Clock } from "../ports/clock.ts";

const FRESH_MS = 5_000;
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Rows by name. One read of `readVersion` every five seconds tells whether anything has changed; then each row is read again when
 * it is needed. Rows that were read before are served as they are while the ledger is unavailable.
 */
export function createCredentialCache(readVersion: () => Promise<number>, clock: Clock) {
  const rows = new Map<string, { readonly version: number; readonly value: unknown }>();
  let version: number | null = null;
  let checkedAt = NEVER;
  let checking: Promise<number> | null = null;

  async function check(): Promise<number> {
    version = await readVersion();
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
    /** Only rows that exist are cached. */
    async read<T>(name: string, load: () => Promise<T | null>): Promise<T | null> {
      const current = await currentVersion();
      const cached = rows.get(name);
      if (cached?.version === current) return cached.value as T;
      try {
        const value = await load();
        rows.delete(name);
        if (value !== null) rows.set(name, { version: current, value });
        evictOldest(rows);
        return value;
      } catch (error) {
        if (!cached) throw error;
        return cached.value as T;
      }
    },
    /** The next read asks for the version, because this process has changed something. */
    expire(): void {
      checkedAt = NEVER;
    },
  };
}
