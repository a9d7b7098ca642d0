import type { TimelineEntry } from "../domain/timeline.ts";
import { frozenCopy } from "./frozen-copy.ts";

type NumberedEntry = { readonly entry: TimelineEntry; readonly position: number };

export type MemoryTimeline = ReturnType<typeof createMemoryTimeline>;

export function createMemoryTimeline() {
  const entries = new Map<string | null, NumberedEntry[]>();
  let added = 0;
  return {
    add(entry: TimelineEntry): void {
      added += 1;
      const numbered = { entry: frozenCopy(entry), position: added };
      const known = entries.get(entry.paymentId);
      if (known === undefined) entries.set(entry.paymentId, [numbered]);
      else known.push(numbered);
    },
    remove: (paymentId: string): boolean => entries.delete(paymentId),
    /** Oldest first, and entries of the same time in the order of insertion. */
    of(paymentIds: readonly string[]): readonly TimelineEntry[] {
      const all = paymentIds.flatMap((id) => entries.get(id) ?? []);
      all.sort((left, right) => left.entry.at - right.entry.at || left.position - right.position);
      return all.map(({ entry }) => entry);
    },
  };
}
