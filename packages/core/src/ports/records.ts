/** Rows a platform keeps for itself (shops, tokens, posted sessions): unique by (storeId, kind, key). `value` is JSON. */
export interface Records {
  get(storeId: string, kind: string, key: string): Promise<{ value: unknown; version: number } | null>;
  put(storeId: string, kind: string, key: string, value: unknown, expect: number | "new"): Promise<"done" | "stale">;
  eraseStore(storeId: string): Promise<void>;
}
