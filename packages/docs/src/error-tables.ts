/** One row of the failure handbook: the codes in its first cell, and the row as it is written. */
export type ErrorRow = { readonly codes: readonly string[]; readonly text: string; readonly cells: readonly string[] };

/** The table of the handbook under a heading: its two lines above the rows, and the rows. */
export type ErrorTable = { readonly heading: string; readonly head: string; readonly rows: readonly ErrorRow[] };

/** The tables of the handbook whose first column is a code, one for each heading that has one. */
export function errorTables(handbook: string): readonly ErrorTable[] {
  return handbook.split(/^## /m).flatMap((section) => {
    const [, head = "", body = ""] = /^(\| (?:code|status, code) \|.*\n\|[-|]+\|)\n((?:\|.*\n?)+)/m.exec(section) ?? [];
    const heading = section.split("\n")[0] ?? "";
    return head === "" ? [] : [{ heading, head, rows: body.trim().split("\n").map(readRow) }];
  });
}

function readRow(text: string): ErrorRow {
  const cells = text
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
  return { codes: [...(cells[0] ?? "").matchAll(/`([a-z_]+)`/g)].map(([, code = ""]) => code), text, cells };
}
