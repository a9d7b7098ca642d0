import type { Terminal } from "./terminal.ts";

type Value = string | number | boolean | null | undefined | readonly string[];

/** Prints rows as a table with a header and aligned columns, or one line of JSON for each row. `none` is the sentence for no rows. */
export function printRows<Row extends Readonly<Record<string, Value>>>(
  terminal: Terminal,
  rows: readonly Row[],
  { json, none }: { readonly json: boolean; readonly none: string },
): void {
  if (json) {
    for (const row of rows) printJson(terminal, row);
    return;
  }
  if (rows.length === 0) {
    terminal.log(none);
    return;
  }
  const header = Object.keys(rows[0] ?? {}).map((name) => name.toUpperCase());
  const texts = [header, ...rows.map((row) => Object.values(row).map(textOf))];
  const widths = header.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  for (const row of texts)
    terminal.log(
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

/** Prints one line of JSON. What is unknown is `null`, so that every line has every field. */
export function printJson(terminal: Terminal, row: object): void {
  terminal.log(JSON.stringify(row, (_name, value) => value ?? null));
}

function textOf(value: Value): string {
  return Array.isArray(value) ? value.join(",") : String(value ?? "–");
}
