import { DatabaseError } from "./database-error.ts";

export type StorableValue = number | bigint | string | Uint8Array | null;

/** @throws DatabaseError `value_not_storable` for a Date, a boolean or undefined, which a driver would silently convert */
export function checkStorable(parameters: readonly unknown[]): StorableValue[] {
  for (const value of parameters) {
    if (value === null || value instanceof Uint8Array) continue;
    if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") continue;
    throw new DatabaseError(
      "value_not_storable",
      `Bind numbers, text, bytes or null, not ${value instanceof Date ? "a Date" : typeof value}.`,
    );
  }
  return parameters as StorableValue[];
}
