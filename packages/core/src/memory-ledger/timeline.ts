import type { TimelineEntry } from "../domain/timeline.ts";
import { frozenCopy } from "./frozen-copy.ts";

type Told = { readonly line: TimelineEntry; readonly place: number };

export type MemoryTimeline = ReturnType<typeof createMemoryTimeline>;

export function createMemoryTimeline() {
  const told = new Map<string | null, Told[]>();
  let lines = 0;
  return {
    add(line: TimelineEntry): void {
      lines += 1;
      const one = { line: frozenCopy(line), place: lines };
      const known = told.get(line.paymentId);
      if (known === undefined) told.set(line.paymentId, [one]);
      else known.push(one);
    },
    forget: (paymentId: string): boolean => told.delete(paymentId),
    /** Oldest first, and those of one moment in the order in which they were told. */
    of(paymentIds: readonly string[]): readonly TimelineEntry[] {
      const all = paymentIds.flatMap((id) => told.get(id) ?? []);
      all.sort((left, right) => left.line.at - right.line.at || left.place - right.place);
      return all.map(({ line }) => line);
    },
  };
}
