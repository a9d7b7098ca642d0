/** One map key for two texts. Different pairs never have the same key. */
export function pairKey(first: string, second: string): string {
  return `${first.length}:${first}${second}`;
}
