import type { CommandLine, Option } from "../command-line/command.ts";
import { parseCount } from "../command-line/parse-number.ts";

export const jsonOption: Readonly<Record<string, Option>> = {
  json: { description: "print one line of JSON for each item" },
};

export const rowOptions: Readonly<Record<string, Option>> = {
  limit: { value: "number", description: "how many items to print at most, newest first; the default is 20" },
  ...jsonOption,
};

export function parseLimit({ values }: CommandLine): number {
  return parseCount("limit", values.get("limit") ?? "20", 10_000);
}

/** ISO 8601 in UTC, or null: the form of all times in `--json`. */
export function isoTime(at: number | undefined | null): string | null {
  return at === undefined || at === null ? null : new Date(at).toISOString();
}

/** An amount in the service's unit with its currency: `5000 XOF`, or `1250 EUR` for 12.50 EUR. */
export function wireText(amount: number | undefined, currency: string | undefined): string {
  return amount === undefined ? "–" : `${amount} ${currency ?? ""}`.trimEnd();
}
