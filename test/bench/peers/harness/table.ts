import type { Measurement } from "./measurement.ts";

export type Result = {
  readonly title: string;
  readonly command: string;
  readonly measurements: readonly Measurement[];
};

/** The result of one benchmark as a Markdown table: our figure, its goal, and for each peer our figure divided by theirs, `0.5 ×`, or theirs. */
export function table({ title, command, measurements }: Result): string {
  const peers = [...new Set(measurements.flatMap((measurement) => Object.keys(measurement.peers)))];
  const head = ["what", "Tillkit", "goal", ...peers];
  const rows = measurements.map((measurement) => [
    measurement.what,
    `${spread(measurement.ours)} ${measurement.unit}`.trimEnd(),
    goalText(measurement),
    ...peers.map((name) => peerText(measurement, name)),
  ]);
  const lines = [head, ["---", "--:", "---", ...peers.map(() => "--:")], ...rows];
  return `### ${title}\n\n\`${command}\`\n\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

/** Whether our median reaches the goal; null without one. */
export function isReached({ ours, peers, goal }: Measurement): boolean | null {
  if (goal === undefined) return null;
  const value = median(goal.timesOf === undefined ? ours : ratios(ours, peers[goal.timesOf] ?? []));
  return "atMost" in goal ? value <= goal.atMost : value >= goal.atLeast;
}

function goalText(measurement: Measurement): string {
  const { goal } = measurement;
  if (goal === undefined) return "";
  const text = "atMost" in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
  const unit = goal.timesOf === undefined ? measurement.unit : `× ${goal.timesOf}`;
  return `${text} ${unit}${isReached(measurement) === true ? "" : " **missed**"}`;
}

function peerText({ ours, peers, showsValues }: Measurement, name: string): string {
  const values = peers[name];
  if (values === undefined) return "";
  return showsValues ? spread(values) : `${spread(ratios(ours, values))} ×`;
}

/** One ratio for each round. */
function ratios(ours: readonly number[], peer: readonly number[]): readonly number[] {
  return ours.map((value, round) => value / (peer[round] ?? Number.NaN));
}

/** The median and, when the values differ, the range. */
function spread(values: readonly number[]): string {
  const least = round(Math.min(...values));
  const most = round(Math.max(...values));
  return least === most ? least : `${round(median(values))} (${least}–${most})`;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}

/** Three figures at most, and no more than the value has. */
function round(value: number): string {
  if (value === 0 || Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(Math.abs(value) < 1 ? 2 : 3)));
}
