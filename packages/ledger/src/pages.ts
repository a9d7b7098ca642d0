import type { Page } from "@tillkit/core";
import { type RawBuilder, sql } from "kysely";

type Key = readonly (string | number)[];

/** What a page ends with becomes the `after` of the next one. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  { keyOf, itemOf }: { keyOf(row: Row): Key; itemOf(row: Row): Item },
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = last !== undefined && rows.length > limit ? encode(keyOf(last)) : null;
  return { rows: shown.map(itemOf), next };
}

/**
 * The condition that a row comes after the page before; `columns` in the order of the list, newest first.
 * @throws RangeError when no list gave this `after`
 */
export function comesAfter(
  columns: RawBuilder<unknown>,
  count: number,
  after: string | undefined,
): RawBuilder<boolean> {
  if (after === undefined) return sql`true`;
  return sql`(${columns}) < (${sql.join(decode(after, count))})`;
}

/**
 * The newest rows of several parts of a table, each part found along its own index. One condition over all of them would
 * read a million finished payments to find the two that wait.
 */
export function newestOf(
  parts: readonly RawBuilder<unknown>[],
  order: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  const wanted = limit + 1;
  const each = parts.map((part) => sql`select * from (${part} order by ${order} limit ${wanted}) as part`);
  return sql`select * from (${sql.join(each, sql` union all `)}) as parts order by ${order} limit ${wanted}`;
}

function encode(key: Key): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

function decode(after: string, count: number): Key {
  const key = parse(Buffer.from(after, "base64url").toString());
  const isKey = (part: unknown) => typeof part === "string" || Number.isSafeInteger(part);
  if (Array.isArray(key) && key.length === count && key.every(isKey)) return key;
  throw new RangeError("`after` is not the `next` of a page of this list: begin with the first page.");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
