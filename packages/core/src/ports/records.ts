/** Rows of a platform's own data (shops, tokens, posted sessions), unique by (storeId, kind, key). `value` is JSON. */
export interface Records {
  get(storeId: string, kind: string, key: string): Promise<{ value: unknown; version: number } | null>;
  /** `expect`: the version that the caller read, or `new` when the row must not exist yet. `stale`: the row has another version. */
  put(storeId: string, kind: string, key: string, value: unknown, expect: number | "new"): Promise<"done" | "stale">;
  /** Rows of one store, or of all stores, sorted by store and key. `after` names the last row of the previous page. */
  list(query: {
    kind: string;
    storeId?: string;
    after?: { storeId: string; key: string };
    limit: number;
  }): Promise<readonly RecordRow[]>;
  /** `stale`: the row has another version, or does not exist. */
  remove(storeId: string, kind: string, key: string, expect: number): Promise<"done" | "stale">;
  eraseStore(storeId: string): Promise<void>;
}

export type RecordRow = {
  readonly storeId: string;
  readonly key: string;
  readonly value: unknown;
  readonly version: number;
};
