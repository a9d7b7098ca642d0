import type { Clock, Records } from "@tillkit/core";
import { hostLimits } from "../limits.ts";

/** Sessions that were logged out before their cookie expires. Kept in the ledger, so that every process refuses a copied cookie. */
export type EndedSessions = {
  has(id: string): Promise<boolean>;
  /** `expiresAt`: when the cookie ends by itself, in milliseconds since 1970. Nothing has to be remembered after it. */
  add(id: string, expiresAt: number): Promise<void>;
};

/** Rows of the server itself: no store has this id. */
const STORE = "";
const KIND = "operator-session-ended";

export function createEndedSessions(records: Records, clock: Clock): EndedSessions {
  async function forgetExpired(): Promise<void> {
    const rows = await records.list({ kind: KIND, storeId: STORE, limit: hostLimits.endedSessionsARound });
    const expired = rows.filter(({ value }) => (value as { expiresAt: number }).expiresAt <= clock.now());
    for (const { key, version } of expired) await records.remove(STORE, KIND, key, version);
  }

  return {
    has: async (id) => (await records.get(STORE, KIND, id)) !== null,
    async add(id, expiresAt) {
      // `stale`: it was logged out already, in another window.
      await records.put(STORE, KIND, id, { expiresAt }, "new");
      await forgetExpired();
    },
  };
}
