/** One row of a table in HANDBOOK.md: the codes in its first cell, the whole row as text, and its cells. */
export type ErrorRow = { readonly codes: readonly string[]; readonly text: string; readonly cells: readonly string[] };

/** One table of HANDBOOK.md. `head`: the two lines above the rows. */
export type ErrorTable = { readonly heading: string; readonly head: string; readonly rows: readonly ErrorRow[] };

/** The tables of the handbook whose first column contains codes. A section of the handbook has at most one such table. */
export function errorTables(handbook: string): readonly ErrorTable[] {
  return handbook.split(/^## /m).flatMap((section) => {
    const table = /^(\| (?:code|status, code) \|.*\n\|[-|]+\|)\n((?:\|.*\n?)+)/m.exec(section);
    const [, head = "", body = ""] = table ?? [];
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
