import type { WriteBound } from "@tillkit/runtime";
import { processStorage } from "../process-storage.ts";

/**
 * Medusa's workflows write in several transactions of their own. While one of them runs for the adapter, our provider compares the last
 * moment for the write when Medusa asks it, which is the last step that we see before Medusa books the money.
 */
const currentBound = processStorage<WriteBound>("write-bound");

/** @throws StoreError `unavailable` when it is too late to begin */
export async function runInTime<Value>(bound: WriteBound, work: () => Promise<Value>): Promise<Value> {
  bound.assertInTime();
  return await currentBound.run(bound, work);
}

/** Whether our provider is asked for a write of the adapter whose last moment has passed. */
export function isWriteTooLate(): boolean {
  return currentBound.getStore()?.isOver() ?? false;
}
