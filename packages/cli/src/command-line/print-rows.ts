import type { Terminal } from "./terminal.ts";

/** Prints rows as a table with a header and aligned columns, or one line of JSON for each row. */
export function printRows<Row extends Readonly<Record<string, string | number | boolean | null | undefined>>>(
  terminal: Terminal,
  rows: readonly Row[],
  { json, none }: { readonly json: boolean; readonly none: string },
): void {
  if (json) {
    for (const row of rows) terminal.log(JSON.stringify(row, (_name, value) => value ?? null));
    return;
  }
  if (rows.length === 0) {
    terminal.log(none);
    return;
  }
  const header = Object.keys(rows[0] ?? {}).map((name) => name.toUpperCase());
  const texts = [header, ...rows.map((row) => Object.values(row).map((value) => String(value ?? "–")))];
  const widths = header.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  for (const row of texts)
    terminal.log(
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
