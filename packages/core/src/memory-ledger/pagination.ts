import type { Page, PageRequest } from "../ports/ledger-view.ts";

/**
 * One page of a list, newest first. `positionOf` is unique and never changes; of entries with the same time, the entry with
 * the higher position comes first.
 */
export function toPage<Entry, Row>(
  entries: readonly Entry[],
  { limit, after }: PageRequest,
  {
    timeOf,
    positionOf,
    rowOf,
  }: { timeOf(entry: Entry): number; positionOf(entry: Entry): number; rowOf(entry: Entry): Row },
): Page<Row> {
  const last = after === undefined ? null : decode(after);
  const rest = entries
    .filter((entry) => last === null || comesAfter([timeOf(entry), positionOf(entry)], last))
    .sort((left, right) => timeOf(right) - timeOf(left) || positionOf(right) - positionOf(left));
  const shown = rest.slice(0, limit);
  const lastShown = shown.at(-1);
  const hasMore = lastShown !== undefined && rest.length > limit;
  const next = hasMore ? `${timeOf(lastShown)}.${positionOf(lastShown)}` : null;
  return { rows: shown.map(rowOf), next };
}

type Key = readonly [number, number];

function comesAfter([time, position]: Key, [lastTime, lastPosition]: Key): boolean {
  return time < lastTime || (time === lastTime && position < lastPosition);
}

function decode(after: string): Key {
  const [, time, position] = /^(\d+)\.(\d+)$/.exec(after) ?? [];
  if (time !== undefined && position !== undefined) return [Number(time), Number(position)];
  throw new RangeError("`after` must be the `next` of a page of this list: start again with the first page.");
}
