/** Rows a platform keeps for itself (shops, tokens, posted sessions): unique by (storeId, kind, key). `value` is JSON. */
export interface Records {
  get(storeId: string, kind: string, key: string): Promise<{ value: unknown; version: number } | null>;
  put(storeId: string, kind: string, key: string, value: unknown, expect: number | "new"): Promise<"done" | "stale">;
  /** In the order of store and key; `after` is the last row of the page before. Of one store, or of all. */
  list(want: {
    kind: string;
    storeId?: string;
    after?: { storeId: string; key: string };
    limit: number;
  }): Promise<readonly RecordRow[]>;
  /** `stale`: another version is there, or nothing. */
  remove(storeId: string, kind: string, key: string, expect: number): Promise<"done" | "stale">;
  eraseStore(storeId: string): Promise<void>;
}

export type RecordRow = {
  readonly storeId: string;
  readonly key: string;
  readonly value: unknown;
  readonly version: number;
};
