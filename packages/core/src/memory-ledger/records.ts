import type { Records } from "../ports/records.ts";
import { pairKey } from "./pair-key.ts";

// Kept as text: then nobody can change a value from outside, and it comes back exactly as from a database.
type Kept = { readonly text: string; readonly version: number };

export function createMemoryRecords(): Records {
  const stores = new Map<string, Map<string, Kept>>();
  return {
    async get(storeId, kind, key) {
      const kept = stores.get(storeId)?.get(pairKey(kind, key));
      return kept === undefined ? null : { value: JSON.parse(kept.text), version: kept.version };
    },
    async put(storeId, kind, key, value, expect) {
      const records = stores.get(storeId) ?? new Map<string, Kept>();
      const version = records.get(pairKey(kind, key))?.version ?? "new";
      if (version !== expect) return "stale";
      records.set(pairKey(kind, key), { text: JSON.stringify(value), version: expect === "new" ? 1 : expect + 1 });
      stores.set(storeId, records);
      return "done";
    },
    async eraseStore(storeId) {
      stores.delete(storeId);
    },
  };
}
