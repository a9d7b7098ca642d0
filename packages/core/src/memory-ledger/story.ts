import type { StoryLine } from "../domain/story.ts";
import { frozenCopy } from "./frozen-copy.ts";

type Told = { readonly line: StoryLine; readonly place: number };

export type MemoryStory = ReturnType<typeof createMemoryStory>;

export function createMemoryStory() {
  const told = new Map<string | null, Told[]>();
  let lines = 0;
  return {
    add(line: StoryLine): void {
      lines += 1;
      const one = { line: frozenCopy(line), place: lines };
      const known = told.get(line.paymentId);
      if (known === undefined) told.set(line.paymentId, [one]);
      else known.push(one);
    },
    forget: (paymentId: string): boolean => told.delete(paymentId),
    /** Oldest first, and those of one moment in the order in which they were told. */
    of(paymentIds: readonly string[]): readonly StoryLine[] {
      const all = paymentIds.flatMap((id) => told.get(id) ?? []);
      all.sort((left, right) => left.line.at - right.line.at || left.place - right.place);
      return all.map(({ line }) => line);
    },
  };
}
