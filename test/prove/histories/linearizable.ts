/** A call with its answer: asked at `from`, answered at `to`, on one clock for all processes. */
export type Call<Op> = { readonly from: number; readonly to: number; readonly op: Op };

/**
 * What one thing may do when its calls come one after another. `step` answers the state after a call, or null when the
 * thing could not have given this answer. States are compared by `keyOf`.
 */
export type Register<State, Op> = {
  readonly start: State;
  step(state: State, op: Op): State | null;
  keyOf(state: State): string;
};

/**
 * Whether the calls can be put into one order in which the thing gave exactly these answers, and in which nobody's call
 * comes before one that had been answered already. Wing and Gong's search; what led nowhere once is not tried again.
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

  /** Calls that nobody's answer precedes: they may come next. */
  function nextCalls(done: bigint): number[] {
    const open = ordered.flatMap((call, index) => ((done >> BigInt(index)) & 1n ? [] : [{ index, call }]));
    const firstAnswer = Math.min(...open.map(({ call }) => call.to));
    return open.filter(({ call }) => call.from <= firstAnswer).map(({ index }) => index);
  }

  return search(start, 0n);
}
