import { createHash } from "node:crypto";
import type { Clock, PaymentLedger } from "@tillkit/core";
import { canList } from "@tillkit/runtime";
import { serverLimits } from "../limits.ts";

/** The rows belong to no store. */
const STORE = "";
const KIND = "signing_keys";

/** `digests`: of the keys of one process, newest first. */
type StoredKeys = { readonly digests: readonly string[]; readonly lastAt: number };

/**
 * Returns a function that tells whether another process on this ledger has been working with other keys: none of its keys is one of this
 * process. Asks the ledger every few minutes, and stores there which keys this process has.
 */
export function createKeyAgreement(
  ledger: PaymentLedger,
  keys: readonly string[],
  clock: Clock,
): () => Promise<boolean> {
  const digests = keys.map(digestOf);
  let last: { readonly at: number; readonly areDifferent: Promise<boolean> } | null = null;

  async function compare(now: number): Promise<boolean> {
    if (!canList(ledger)) return false;
    const [newest = ""] = digests;
    const row = await ledger.records.get(STORE, KIND, newest);
    const own: StoredKeys = { digests, lastAt: now };
    await ledger.records.put(STORE, KIND, newest, own, row?.version ?? "new");
    const rows = await ledger.records.list({ kind: KIND, storeId: STORE, limit: serverLimits.maxComparedKeys });
    return rows.some(({ value }) => {
      const other = value as StoredKeys;
      const isRecent = Math.abs(now - other.lastAt) < serverLimits.keysRememberedMs;
      return isRecent && !other.digests.some((digest) => digests.includes(digest));
    });
  }

  return function areKeysDifferent() {
    const now = clock.now();
    const isFresh = last !== null && now >= last.at && now - last.at < serverLimits.keyComparisonIntervalMs;
    if (last === null || !isFresh) last = { at: now, areDifferent: compare(now) };
    return last.areDifferent.catch(() => false);
  };
}

/** Keys are random and long, so a part of their digest tells them apart and reveals nothing. */
function digestOf(key: string): string {
  return createHash("sha256").update(`tillkit signing key ${key}`).digest("hex").slice(0, 16);
}
