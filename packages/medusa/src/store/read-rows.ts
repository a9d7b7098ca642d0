import { StoreError } from "@tillkit/core";
import { z } from "zod";
import type { Query } from "./medusa-container.ts";

/** @throws StoreError `unavailable`: a failed read changes nothing and may be repeated */
export async function readRows(
  query: Query,
  entity: string,
  fields: readonly string[],
  filters: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> {
  try {
    return (await query.graph({ entity, fields, filters })).data;
  } catch (cause) {
    throw new StoreError("unavailable", `Medusa could not read its table "${entity}".`, { cause });
  }
}

/** One text field of the first matching row; null when there is no such row. */
export async function readField(
  query: Query,
  entity: string,
  name: string,
  filters: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  const [row] = await readRows(query, entity, [name], filters);
  const parsed = z.record(z.string(), z.unknown()).safeParse(row);
  const value = parsed.success ? parsed.data[name] : null;
  return typeof value === "string" ? value : null;
}
