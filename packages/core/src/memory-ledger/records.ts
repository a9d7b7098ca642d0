import type { Records } from "../ports/records.ts";
import { pairKey } from "./pair-key.ts";

// The value is stored as text, so that callers cannot change it and it is read back exactly as from a database.
type StoredRecord = { readonly kind: string; readonly key: string; readonly text: string; readonly version: number };

export function createMemoryRecords(): Records {
  const stores = new Map<string, Map<string, StoredRecord>>();
  return {
    async get(storeId, kind, key) {
      const record = stores.get(storeId)?.get(pairKey(kind, key));
      return record === undefined ? null : { value: JSON.parse(record.text), version: record.version };
    },
    async put(storeId, kind, key, value, expect) {
      const records = stores.get(storeId) ?? new Map<string, StoredRecord>();
      const version = records.get(pairKey(kind, key))?.version ?? "new";
      if (version !== expect) return "stale";
      const next = expect === "new" ? 1 : expect + 1;
      records.set(pairKey(kind, key), { kind, key, text: JSON.stringify(value), version: next });
      stores.set(storeId, records);
      return "done";
    },
    async list({ kind, storeId, after, limit }) {
      const rows = [...stores]
        .filter(([id]) => storeId === undefined || id === storeId)
        .flatMap(([id, records]) => [...records.values()].map((record) => ({ storeId: id, ...record })))
        .filter((row) => row.kind === kind && (after === undefined || comesAfter(row, after)));
      rows.sort((left, right) => (comesAfter(left, right) ? 1 : -1));
      return rows
        .slice(0, limit)
        .map(({ storeId: store, key, text, version }) => ({ storeId: store, key, value: JSON.parse(text), version }));
    },
    async remove(storeId, kind, key, expect) {
      const records = stores.get(storeId);
      if (records?.get(pairKey(kind, key))?.version !== expect) return "stale";
      records.delete(pairKey(kind, key));
      return "done";
    },
    async eraseStore(storeId) {
      stores.delete(storeId);
    },
  };
}

function comesAfter(left: { storeId: string; key: string }, right: { storeId: string; key: string }): boolean {
  return left.storeId === right.storeId ? left.key > right.key : left.storeId > right.storeId;
}
