import type { RecordRow, Records } from "@tillkit/core";
import { runtimeLimits } from "../limits.ts";
import type { DueQueue, TaskId } from "./due-queue.ts";
import type { StoredTask } from "./outbox-task.ts";

/** The value of a task's row. `scheduledAt`: when `dueAt` was set; absent in rows of earlier versions. */
export type TaskRow<State> = Omit<StoredTask<State>, "key"> & { readonly scheduledAt?: number };

export type TaskRows<State> = {
  read(id: TaskId): Promise<{ readonly row: TaskRow<State>; readonly version: number } | null>;
  /** Writes the queue's entry before the row, so that every due row has an entry. False: the stored row has another version. */
  write(id: TaskId, row: TaskRow<State>, expect: number | "new"): Promise<boolean>;
  remove(id: TaskId, expect: number): Promise<boolean>;
  /** The rows of one store, or of all stores. */
  list(
    storeId?: string,
  ): AsyncGenerator<{ readonly id: TaskId; readonly row: TaskRow<State>; readonly version: number }>;
};

export function createTaskRows<State>(records: Records, kind: string, queue: DueQueue): TaskRows<State> {
  return {
    async read({ storeId, key }) {
      const found = await records.get(storeId, kind, key);
      return found && { row: found.value as TaskRow<State>, version: found.version };
    },
    async write(id, row, expect) {
      if (row.dueAt !== null) await queue.add(row.dueAt, id);
      return (await records.put(id.storeId, kind, id.key, row, expect)) === "done";
    },
    async remove({ storeId, key }, expect) {
      return (await records.remove(storeId, kind, key, expect)) === "done";
    },
    async *list(storeId) {
      const limit = runtimeLimits.taskRowsPerPage;
      const query = storeId === undefined ? { kind, limit } : { kind, limit, storeId };
      let last: RecordRow | undefined;
      for (;;) {
        const after = last === undefined ? {} : { after: { storeId: last.storeId, key: last.key } };
        const page = await records.list({ ...query, ...after });
        for (const { storeId: owner, key, value, version } of page) {
          yield { id: { storeId: owner, key }, row: value as TaskRow<State>, version };
        }
        last = page.at(-1);
        if (page.length < limit) return;
      }
    },
  };
}
