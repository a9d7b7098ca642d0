/**
 * Limits the concurrent jobs of each store in this process. A slow store delays only its own jobs: its further jobs stay in the
 * ledger until one of its running jobs ends.
 */
export type StoreConcurrency = {
  /** Counts a running job and returns a function that releases it. Null: the store has reached the limit. */
  acquire(storeId: string): (() => void) | null;
  /** Counts a running job even above the limit, for jobs that are claimed already. */
  acquireAnyway(storeId: string): () => void;
  /** The stores that have reached the limit. */
  saturatedStores(): readonly string[];
  /** The running jobs of all stores. */
  count(): number;
};

/** `limit`: the jobs of one store that run at once. */
export function createStoreConcurrency(limit: number): StoreConcurrency {
  const running = new Map<string, number>();

  function acquireAnyway(storeId: string): () => void {
    running.set(storeId, (running.get(storeId) ?? 0) + 1);
    return () => {
      const remaining = (running.get(storeId) ?? 0) - 1;
      if (remaining > 0) running.set(storeId, remaining);
      else running.delete(storeId);
    };
  }

  return {
    acquire: (storeId) => ((running.get(storeId) ?? 0) < limit ? acquireAnyway(storeId) : null),
    acquireAnyway,
    saturatedStores: () => [...running].filter(([, count]) => count >= limit).map(([storeId]) => storeId),
    count: () => [...running.values()].reduce((sum, count) => sum + count, 0),
  };
}
