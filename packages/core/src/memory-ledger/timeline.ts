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
    /** Removes these entries, and returns how many of them were still there. */
    removeEntries(removed: readonly TimelineEntry[]): number {
      const all = new Set(removed);
      let count = 0;
      for (const [paymentId, known] of entries) {
        const left = known.filter(({ entry }) => !all.has(entry));
        count += known.length - left.length;
        if (left.length > 0) entries.set(paymentId, left);
        else entries.delete(paymentId);
      }
      return count;
    },
    /** The payments with entries, in the order of their first entry. */
    paymentIds: (): readonly string[] => [...entries.keys()].filter((id) => id !== null),
    /** Oldest first, and entries of the same time in the order of insertion. */
    of(paymentIds: readonly string[]): readonly TimelineEntry[] {
      const all = paymentIds.flatMap((id) => entries.get(id) ?? []);
      all.sort((left, right) => left.entry.at - right.entry.at || left.position - right.position);
      return all.map(({ entry }) => entry);
    },
  };
}
