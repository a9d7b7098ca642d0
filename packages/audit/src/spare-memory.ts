import { setFlagsFromString } from "node:v8";

/**
 * Lets the garbage collector work more and the process grow less: an audit of a large shop otherwise holds twice of what it needs. For
 * processes that do nothing else.
 */
export function spareMemory(): void {
  setFlagsFromString("--optimize-for-size");
}
