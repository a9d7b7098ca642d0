import { expect } from "vitest";
import type { Operation } from "./operations.ts";

type RecordedCalls = { readonly statuses: Set<number>; readonly tests: Set<string> };

const recordedCalls = new Map<Operation, RecordedCalls>();

/** Records which test has called which endpoint, and what the service answered. */
export function recordCall(operation: Operation, status: number): void {
  const entry = recordedCalls.get(operation) ?? { statuses: new Set(), tests: new Set() };
  recordedCalls.set(operation, entry);
  entry.statuses.add(status);
  const test = expect.getState().currentTestName;
  if (test !== undefined && test !== "") entry.tests.add(test);
}

/** The statuses and tests that were recorded for an endpoint so far. */
export function recordedFor(operation: Operation): { statuses: readonly number[]; tests: readonly string[] } {
  const entry = recordedCalls.get(operation);
  return { statuses: [...(entry?.statuses ?? [])], tests: [...(entry?.tests ?? [])] };
}
