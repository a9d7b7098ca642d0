import { expect } from "vitest";
import type { Operation } from "./operations.ts";

type Seen = { readonly statuses: Set<number>; readonly tests: Set<string> };

const seen = new Map<Operation, Seen>();

/** Remembers which test has exercised which endpoint, and what the service answered. */
export function noteCall(operation: Operation, status: number): void {
  const entry = seen.get(operation) ?? { statuses: new Set(), tests: new Set() };
  seen.set(operation, entry);
  entry.statuses.add(status);
  const test = expect.getState().currentTestName;
  if (test !== undefined && test !== "") entry.tests.add(test);
}

/** What was seen of an endpoint up to now. */
export function seenOf(operation: Operation): { statuses: readonly number[]; tests: readonly string[] } {
  const entry = seen.get(operation);
  return { statuses: [...(entry?.statuses ?? [])], tests: [...(entry?.tests ?? [])] };
}
