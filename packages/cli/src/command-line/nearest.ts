/** The candidate that a person probably meant, or null: at most two letters differ, and fewer in a short word. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const limit = word.length < 5 ? 1 : 2;
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(word.toLowerCase(), candidate) }))
    .sort((one, other) => one.distance - other.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= limit ? best.candidate : null;
}

/** The end of a sentence about an unknown word: the candidate that was probably meant, or all of them. */
export function adviceFor(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === null ? `use one of ${candidates.join(", ")}.` : `did you mean ${meant}?`;
}

/** How many letters are inserted, removed, replaced or swapped with their neighbour. */
function distanceOf(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const options = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1)];
      if (isSwapped) options.push((beforeLast[j - 2] ?? 0) + 1);
      row.push(Math.min(...options));
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? 0;
}
