import process from "node:process";

/** Green for success and red for failure, on a terminal only; `NO_COLOR` turns colours off (no-color.org). */
export function color(text: string, isGood: boolean): string {
  if (!process.stdout.isTTY || process.env.NO_COLOR) return text;
  return `\u001b[${isGood ? 32 : 31}m${text}\u001b[0m`;
}
