/** A range of time in milliseconds since 1970; `until` is excluded. */
export type Range = { readonly from: number; readonly until: number };

/** The parts of a range that no range of `done` covers. `done` is sorted, and none of its ranges overlap. */
export function gaps(range: Range, done: readonly Range[]): readonly Range[] {
  const found: Range[] = [];
  let { from } = range;
  for (const part of done) {
    if (part.until <= from || part.from >= range.until) continue;
    if (part.from > from) found.push({ from, until: part.from });
    from = Math.max(from, part.until);
  }
  return from < range.until ? [...found, { from, until: range.until }] : found;
}

/** Adds a range, so that the ranges stay sorted and apart. */
export function merge(done: readonly Range[], next: Range): readonly Range[] {
  const sorted = [...done, next].sort((left, right) => left.from - right.from);
  const merged: Range[] = [];
  for (const part of sorted) {
    const last = merged.at(-1);
    if (last === undefined || part.from > last.until) merged.push(part);
    else merged[merged.length - 1] = { from: last.from, until: Math.max(last.until, part.until) };
  }
  return merged;
}
