/** One key of two texts, whatever they hold. */
export function pairKey(first: string, second: string): string {
  return `${first.length}:${first}${second}`;
}
