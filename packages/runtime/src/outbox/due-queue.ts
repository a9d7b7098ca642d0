import type { Records } from "@tillkit/core";

/** Where a task is stored. */
export type TaskId = { readonly storeId: string; readonly key: string };

export type QueueEntry = { readonly dueAt: number; readonly id: TaskId };

/** The queue belongs to no store: its entries are sorted by key and so by time. */
const NO_STORE = "";

/** An index of tasks by due time. An entry whose due time differs from that of its task's row is stale. */
export type DueQueue = {
  add(dueAt: number, id: TaskId): Promise<void>;
  remove(dueAt: number, id: TaskId): Promise<void>;
  /** The first entries by due time. */
  list(limit: number): Promise<readonly QueueEntry[]>;
};

export function createDueQueue(records: Records, kind: string): DueQueue {
  const queueKind = `${kind}-due`;
  return {
    async add(dueAt, id) {
      await records.put(NO_STORE, queueKind, entryKey(dueAt, id), null, "new");
    },
    async remove(dueAt, id) {
      await records.remove(NO_STORE, queueKind, entryKey(dueAt, id), 1);
    },
    async list(limit) {
      const rows = await records.list({ kind: queueKind, storeId: NO_STORE, limit });
      return rows.map(({ key }) => readEntry(key));
    },
  };
}

function entryKey(dueAt: number, { storeId, key }: TaskId): string {
  return `${String(dueAt).padStart(15, "0")} ${JSON.stringify([storeId, key])}`;
}

function readEntry(entry: string): QueueEntry {
  const [storeId, key] = JSON.parse(entry.slice(16)) as [string, string];
  return { dueAt: Number(entry.slice(0, 15)), id: { storeId, key } };
}
