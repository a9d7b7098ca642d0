/** The `count` of each row under its name, and 0 for names without a row. */
export function countByName<Name extends string, Row extends { readonly count: number }>(
  names: readonly Name[],
  rows: readonly Row[],
  nameOf: (row: Row) => Name,
): Record<Name, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (const row of rows) counts[nameOf(row)] = row.count;
  return counts;
}
