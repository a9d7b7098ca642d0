import { limits } from "../domain/limits.ts";

/** What rows were before their last changes, for reads that lag behind: the setting `staleReadsMs`. */
export type RowHistory<Row> = {
  /** `row` is replaced by another at `now`. */
  record(id: string, row: Row, now: number): void;
  /** The row as it was at `time`; `row`, which is how it is now, when it did not change since. */
  asOf(id: string, row: Row, time: number): Row;
  clear(): void;
};

/** In memory: after a restart, every read is a fresh one. */
export function createRowHistory<Row>(): RowHistory<Row> {
  const versionsById = new Map<string, { row: Row; replacedAt: number }[]>();
  return {
    record(id, row, now) {
      const versions = (versionsById.get(id) ?? []).filter(({ replacedAt }) => replacedAt > now - limits.staleReadsMs);
      versionsById.delete(id);
      versionsById.set(id, [...versions, { row, replacedAt: now }]);
      const [oldest] = versionsById.keys();
      if (versionsById.size > limits.earlierRows && oldest !== undefined) versionsById.delete(oldest);
    },
    asOf: (id, row, time) => versionsById.get(id)?.find(({ replacedAt }) => replacedAt > time)?.row ?? row,
    clear: () => versionsById.clear(),
  };
}
