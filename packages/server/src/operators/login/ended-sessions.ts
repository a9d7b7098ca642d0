import type { Clock } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { serverLimits } from "../../limits.ts";

/** Sessions that were logged out before their cookie expires. The ledger stores them, so that every process rejects a copied cookie. */
export type EndedSessions = {
  has(id: string): Promise<boolean>;
  /** `expiresAt`: when the cookie expires, in milliseconds since 1970. The row is removed after that. Returns false when the id was added before. */
  add(id: string, expiresAt: number): Promise<boolean>;
};

/** The rows belong to the server: no store has this id. */
const STORE = "";
const KIND = "operator-session-ended";

export function createEndedSessions(records: Records, clock: Clock): EndedSessions {
  async function removeExpired(): Promise<void> {
    const rows = await records.list({ kind: KIND, storeId: STORE, limit: serverLimits.endedSessionsPerCleanup });
    const expired = rows.filter(({ value }) => (value as { expiresAt: number }).expiresAt <= clock.now());
    for (const { key, version } of expired) await records.remove(STORE, KIND, key, version);
  }

  return {
    has: async (id) => (await records.get(STORE, KIND, id)) !== null,
    async add(id, expiresAt) {
      // `put` answers `stale` when the session was already logged out in another window.
      const answer = await records.put(STORE, KIND, id, { expiresAt }, "new");
      await removeExpired();
      return answer !== "stale";
    },
  };
}
