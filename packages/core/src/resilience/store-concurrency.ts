import { limits } from "../domain/limits.ts";

/**
 * How much work each store has under way in this process. A store that answers slowly keeps its own work waiting, and
 * nobody else's: what is due for it stays in the ledger until a place is free.
 */
export type StoreConcurrency = {
  /** Takes a place and answers how to give it back. Null: all are taken. */
  acquire(storeId: string): (() => void) | null;
  /** For work that is claimed already. */
  acquireAnyway(storeId: string): () => void;
  /** Stores whose places are all taken. */
  saturatedStores(): readonly string[];
};

export function createStoreConcurrency(): StoreConcurrency {
  const taken = new Map<string, number>();

  function takeAnyway(storeId: string): () => void {
    taken.set(storeId, (taken.get(storeId) ?? 0) + 1);
    return () => {
      const left = (taken.get(storeId) ?? 0) - 1;
      if (left > 0) taken.set(storeId, left);
      else taken.delete(storeId);
    };
  }

  return {
    acquire: (storeId) => ((taken.get(storeId) ?? 0) < limits.storeJobsAtOnce ? takeAnyway(storeId) : null),
    acquireAnyway: takeAnyway,
    saturatedStores: () =>
      [...taken].filter(([, count]) => count >= limits.storeJobsAtOnce).map(([storeId]) => storeId),
  };
}
