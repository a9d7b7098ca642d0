import { movementName } from "./identifiers.ts";

/** Every id of a movement in a value, however deep: providers keep their data in shapes of their own. */
export function deepNames(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") {
    const name = movementName(value);
    return name === null ? [] : [name];
  }
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((part) => deepNames(part, depth + 1));
}

const MAX_DEPTH = 5;
