/** The rows of RFC 4180, with comma, semicolon or tab between fields, as spreadsheets of both languages write them. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const source = text.replace(/^\uFEFF/, "");
  const separator = separatorOf(source);
  // A field, quoted or not, and what ends it: the separator, the end of the line, or the end of the text.
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, "g");
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of source.matchAll(pattern)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === separator) continue;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  return rows;
}

/** The separator that the first line has most of. */
function separatorOf(text: string): string {
  const [first = ""] = text.split("\n", 1);
  const count = (separator: string) => first.split(separator).length;
  return [",", ";", "\t"].reduce((best, next) => (count(next) > count(best) ? next : best));
}
