/** A call from `from` to `to`, on one clock for all processes. */
export type Call<Op> = { readonly from: number; readonly to: number; readonly op: Op };

/**
 * The sequential specification of one object. `step` returns the state after a call, or null if the object could not have
 * given this answer. States are compared by `keyOf`.
 */
export type Register<State, Op> = {
  readonly start: State;
  step(state: State, op: Op): State | null;
  keyOf(state: State): string;
};

/**
 * Returns whether the calls have a sequential order that gives exactly these answers and in which each call comes after all
 * calls that were answered before it started. This is Wing and Gong's search with memorized dead ends.
 */
export function isLinearizable<State, Op>(
  { start, step, keyOf }: Register<State, Op>,
  calls: readonly Call<Op>[],
): boolean {
  const ordered = [...calls].sort((left, right) => left.from - right.from);
  const deadEnds = new Set<string>();

  function search(state: State, done: bigint): boolean {
    if (done === (1n << BigInt(ordered.length)) - 1n) return true;
    const place = `${done} ${keyOf(state)}`;
    if (deadEnds.has(place)) return false;
    for (const index of nextCalls(done)) {
      const call = ordered[index];
      const after = call ? step(state, call.op) : null;
      if (after !== null && search(after, done | (1n << BigInt(index)))) return true;
    }
    deadEnds.add(place);
    return false;
  }

  /** The calls that may come next because no other answer precedes them. */
  function nextCalls(done: bigint): number[] {
    const open = ordered.flatMap((call, index) => ((done >> BigInt(index)) & 1n ? [] : [{ index, call }]));
    const firstAnswer = Math.min(...open.map(({ call }) => call.to));
    return open.filter(({ call }) => call.from <= firstAnswer).map(({ index }) => index);
  }

  return search(start, 0n);
}
