import { formatCount, formatDuration } from "./format-numbers.ts";
import type { TierResult } from "./results.ts";

const HEAD = ["tier", "what holds", "cases", "violations", "time", "figures"] as const;

/** The final table for a terminal. */
export function plainTable(results: readonly TierResult[]): string {
  const rows = results.map(cells);
  const all = [[...HEAD], ...rows];
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, column))
      .join("  ")
      .trimEnd(),
  );
  const violationCount = violations(results);
  return [
    ...lines,
    `${formatCount(violationCount)} ${violationCount === 1 ? "violation" : "violations"} in ${formatCount(cases(results))} cases`,
  ].join("\n");
}

/** The final table in Markdown, with date and machine. */
export function markdownTable(
  results: readonly TierResult[],
  { date, machine }: { date: string; machine: string },
): string {
  const line = (row: readonly string[]) => `| ${row.join(" | ")} |`;
  const rule = "|---|---|--:|--:|--:|---|";
  return [line(HEAD), rule, ...results.map((result) => line(cells(result))), "", `${date}, ${machine}`].join("\n");
}

function cells({ id, title, cases, violations, ms, figures }: TierResult): string[] {
  const texts = Object.entries(figures).map(([name, value]) => figure(name, value));
  return [id, title, formatCount(cases), formatCount(violations), formatDuration(ms), texts.join(", ")];
}

// "12 kills", "p99 31 ms".
function figure(name: string, value: number): string {
  const [, label, unit] = /^(.*) (ms|MB)$/.exec(name) ?? [];
  return label === undefined ? `${formatCount(value)} ${name}` : `${label} ${formatCount(value)} ${unit}`;
}

// Aligns cases, violations and time to the right.
function pad(cell: string, width: number, column: number): string {
  const isNumber = ["cases", "violations", "time"].includes(HEAD[column] ?? "");
  return isNumber ? cell.padStart(width) : cell.padEnd(width);
}

function cases(results: readonly TierResult[]): number {
  return results.reduce((total, result) => total + result.cases, 0);
}

function violations(results: readonly TierResult[]): number {
  return results.reduce((total, result) => total + result.violations, 0);
}
