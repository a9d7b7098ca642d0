import { limits } from "../domain/limits.ts";

/** Earlier versions of rows, for stale reads with the setting `staleReadsMs`. */
export type RowHistory<Row> = {
  /** Records a version that is replaced at `now`. */
  record(id: string, row: Row, now: number): void;
  /** The version at `time`. Returns the current `row` when it has not changed since. */
  asOf(id: string, row: Row, time: number): Row;
  clear(): void;
};

/** Keeps the versions in memory, so reads after a restart are never stale. */
export function createRowHistory<Row>(): RowHistory<Row> {
  const versionsById = new Map<string, { row: Row; replacedAt: number }[]>();
  return {
    record(id, row, now) {
      const versions = (versionsById.get(id) ?? []).filter(
        ({ replacedAt }) => replacedAt > now - limits.longestDelayMs,
      );
      versionsById.delete(id);
      versionsById.set(id, [...versions, { row, replacedAt: now }]);
      const [oldest] = versionsById.keys();
      if (versionsById.size > limits.earlierRows && oldest !== undefined) versionsById.delete(oldest);
    },
    asOf: (id, row, time) => versionsById.get(id)?.find(({ replacedAt }) => replacedAt > time)?.row ?? row,
    clear: () => versionsById.clear(),
  };
}
