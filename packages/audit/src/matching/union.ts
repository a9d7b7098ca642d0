/** Disjoint sets of the numbers below `size`. */
export type Union = { find(index: number): number; join(left: number, right: number): void };

export function createUnion(size: number): Union {
  const parents = Int32Array.from({ length: size }, (_, index) => index);

  function find(index: number): number {
    let root = index;
    while (parents[root] !== root) root = parents[root] ?? root;
    let next = index;
    while (next !== root) {
      const parent = parents[next] ?? root;
      parents[next] = root;
      next = parent;
    }
    return root;
  }

  return {
    find,
    join(left, right) {
      parents[find(left)] = find(right);
    },
  };
}
