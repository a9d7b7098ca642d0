import { vi } from "vitest";
import { PATIENCE_MS } from "./patience.ts";

/** Repeats a check until it throws no more, and returns what it returns. */
export function waitFor<Result>(
  check: () => Result | Promise<Result>,
  { interval = 20 }: { readonly interval?: number } = {},
): Promise<Result> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval });
}
