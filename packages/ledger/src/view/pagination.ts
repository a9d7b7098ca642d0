import type { Page } from "@tillkit/core/ledger";
import { type RawBuilder, sql } from "kysely";

type PageKey = readonly (string | number)[];

/** Cuts `rows`, which hold one row more than `limit` when there is a next page. `next` encodes the key of the last row. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  { keyOf, itemOf }: { keyOf(row: Row): PageKey; itemOf(row: Row): Item },
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = last !== undefined && rows.length > limit ? pageKey(keyOf(last)) : null;
  return { rows: shown.map(itemOf), next };
}

/**
 * The condition that a row comes after the previous page. `columns` are the names of the columns by which the list descends.
 * @throws RangeError when `after` is not the `next` of a page of this list
 */
export function comesAfter(columns: readonly string[], after: string | undefined): RawBuilder<boolean> {
  if (after === undefined) return sql`true`;
  const names = sql.join(columns.map((column) => sql.raw(column)));
  return sql`(${names}) < (${sql.join(decode(after, columns.length))})`;
}

/**
 * Selects the newest rows of several selections of one table. Each selection uses its own range of an index; one selection with all
 * conditions could read a million finished payments to find two open payments.
 */
export function newestOf(
  parts: readonly RawBuilder<unknown>[],
  order: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  const rowCount = limit + 1;
  const limitedParts = parts.map((part) => sql`select * from (${part} order by ${order} limit ${rowCount}) as part`);
  return sql`select * from (${sql.join(limitedParts, sql` union all `)}) as parts order by ${order} limit ${rowCount}`;
}

/** The value of `after` that requests the page behind the row with this key. */
export function pageKey(key: PageKey): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

function decode(after: string, columnCount: number): PageKey {
  const key = parse(Buffer.from(after, "base64url").toString());
  const isKeyPart = (part: unknown) => typeof part === "string" || Number.isSafeInteger(part);
  if (Array.isArray(key) && key.length === columnCount && key.every(isKeyPart)) return key;
  throw new RangeError("`after` must be the `next` of a page of this list: start again with the first page.");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
