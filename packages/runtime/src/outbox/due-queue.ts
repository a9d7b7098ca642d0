import type { Records } from "@tillkit/core";

/** Where a task is stored. */
export type TaskId = { readonly storeId: string; readonly key: string };

export type QueueEntry = { readonly dueAt: number; readonly id: TaskId };

/** The queue belongs to no store: its entries are sorted by key and so by time. */
const NO_STORE = "";
/** An entry is added and removed, and never changed. */
const ONLY_VERSION = 1;
/** Leading zeros give all times the same length, so that the order of keys is the order of times. */
const TIME_LENGTH = 15;

/** An index of tasks by due time. An entry is stale when its due time differs from the due time in its task's row. */
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
      await records.remove(NO_STORE, queueKind, entryKey(dueAt, id), ONLY_VERSION);
    },
    async list(limit) {
      const rows = await records.list({ kind: queueKind, storeId: NO_STORE, limit });
      return rows.map(({ key }) => parseEntryKey(key));
    },
  };
}

function entryKey(dueAt: number, { storeId, key }: TaskId): string {
  return `${String(dueAt).padStart(TIME_LENGTH, "0")} ${JSON.stringify([storeId, key])}`;
}

function parseEntryKey(entry: string): QueueEntry {
  const [storeId, key] = JSON.parse(entry.slice(TIME_LENGTH + 1)) as [string, string];
  return { dueAt: Number(entry.slice(0, TIME_LENGTH)), id: { storeId, key } };
}
