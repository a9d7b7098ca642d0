import type { Page, PageRequest } from "../ports/ledger-view.ts";

/**
 * One page of a list, newest first: of equal times the one that was added later. `placeOf` tells entries of the same time
 * apart and never changes.
 */
export function pageOf<Entry, Row>(
  entries: readonly Entry[],
  { limit, after }: PageRequest,
  { timeOf, placeOf, rowOf }: { timeOf(entry: Entry): number; placeOf(entry: Entry): number; rowOf(entry: Entry): Row },
): Page<Row> {
  const last = after === undefined ? null : decode(after);
  const rest = entries
    .filter((entry) => last === null || isBehind([timeOf(entry), placeOf(entry)], last))
    .sort((left, right) => timeOf(right) - timeOf(left) || placeOf(right) - placeOf(left));
  const shown = rest.slice(0, limit);
  const end = shown.at(-1);
  const next = end !== undefined && rest.length > limit ? `${timeOf(end)}.${placeOf(end)}` : null;
  return { rows: shown.map(rowOf), next };
}

type Key = readonly [number, number];

function isBehind([time, place]: Key, [lastTime, lastPlace]: Key): boolean {
  return time < lastTime || (time === lastTime && place < lastPlace);
}

function decode(after: string): Key {
  const [, time, place] = /^(\d+)\.(\d+)$/.exec(after) ?? [];
  if (time !== undefined && place !== undefined) return [Number(time), Number(place)];
  throw new RangeError("`after` is not the `next` of a page of this list: begin with the first page.");
}
