import { limits } from "./limits.ts";

/** Removes the oldest entry of a cache that has grown beyond `limits.maxCachedEntries`. */
export function evictOldest(entries: Map<string, unknown>): void {
  if (entries.size <= limits.maxCachedEntries) return;
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
