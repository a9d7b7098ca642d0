import { readFileSync } from "node:fs";
import { z } from "zod";

export type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];
export type JsonLine = Readonly<Record<string, unknown>>;

/** The published schema of what a command prints with `--json`. @throws Error when the command has none */
export function schemaOf(command: string): JsonSchema {
  const file = new URL(`../schemas/${command.replace(" ", "/")}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Reads one line of `--json`. @throws Error that names every field which is not as the published schema promises */
export function readLine(command: string, line: string): JsonLine {
  const value = z.fromJSONSchema(schemaOf(command)).safeParse(JSON.parse(line));
  if (value.success) return value.data as JsonLine;
  throw new Error(`tillkit ${command} --json printed ${line}\n${z.prettifyError(value.error)}`);
}

/** Reads each line that a command printed with `--json`; none when it printed nothing. */
export function readLines(command: string, out: string): readonly JsonLine[] {
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => readLine(command, line));
}
