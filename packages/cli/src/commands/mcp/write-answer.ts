import process from "node:process";
import { redactText } from "@tillkit/runtime";
import type { ToolAnswer } from "./tool.ts";

export const MAX_ROWS = 50;
const MAX_BYTES = 20_000;
const MAX_TEXT = 1_000;

/** The answer as JSON: redacted, of at most 50 rows and 20 kB. `leftOut` counts the rows that did not fit. */
export function writeAnswer({ facts = {}, rows, document }: ToolAnswer): string {
  const clean = cleanValue(facts) as object;
  const ours = document === undefined ? {} : { document };
  if (rows === undefined) return fit(clean, ours);
  const shown = rows.slice(0, MAX_ROWS).map(cleanValue);
  for (;;) {
    const leftOut = rows.length - shown.length;
    const text = JSON.stringify({ ...clean, ...ours, rows: shown, ...(leftOut > 0 ? { leftOut } : {}) });
    if (Buffer.byteLength(text) <= MAX_BYTES || shown.length === 0) return text;
    shown.pop();
  }
}

/** An error as a tool answers it: one sentence, redacted. */
export function writeError(error: unknown): string {
  return cleanText(error instanceof Error ? error.message : "The tool failed.");
}

function fit(clean: object, ours: object): string {
  const text = JSON.stringify({ ...clean, ...ours });
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  throw new Error("The answer is larger than 20 kB: ask for less.");
}

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cleanValue(field)]));
}

const DATABASE_PASSWORD = /(?<=:\/\/[^/@\s:]*:)[^/\s]+(?=@)/g;
/** Tokens of operators and keys of servers are long and random; the parts of a UUID are shorter. */
const RANDOM_TEXT = /(?<![A-Za-z0-9])(?=[A-Za-z_-]*\d)[A-Za-z0-9]{32,}(?![A-Za-z0-9])/g;
const SECRET_VARIABLES = [
  "SERVICE_SECRET_KEY",
  "SERVICE_WEBHOOK_SECRET",
  "TILLKIT_KEYS",
  "TILLKIT_KEY",
  "OPERATOR_TOKEN",
];

function cleanText(text: string): string {
  const known = SECRET_VARIABLES.flatMap((name) => (process.env[name] ?? "").split(",")).filter(
    ({ length }) => length >= 8,
  );
  const withoutKnown = known.reduce((clean, secret) => clean.replaceAll(secret, "[secret]"), text);
  const clean = redactText(withoutKnown.replace(DATABASE_PASSWORD, "[secret]")).replace(RANDOM_TEXT, "[secret]");
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean;
}
