import process from "node:process";
import type { Log, LogFields } from "@tillkit/core";
import { redactText } from "./redact-text.ts";

export type LogLevel = "info" | "warn" | "error";

export type JsonLogOptions = {
  /** The lowest level that is written; `warn` unless set. */
  readonly level?: LogLevel;
  /** Receives each line with its line end; writes to stderr unless set. */
  readonly write?: (line: string) => void;
  /** Milliseconds since 1970; `Date.now` unless set. */
  readonly now?: () => number;
};

const LEVELS: readonly LogLevel[] = ["info", "warn", "error"];

/**
 * Writes JSON lines: `{"time","level","message",…}`, time in ISO 8601. Text that looks like a key, a secret, an e-mail address,
 * a phone or a card number is redacted in every field.
 */
export function createJsonLog({
  level: lowest = "warn",
  write = writeToStderr,
  now = Date.now,
}: JsonLogOptions = {}): Log {
  function writerOf(level: LogLevel) {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(lowest)) return () => undefined;
    return (message: string, fields: LogFields = {}): void => {
      const time = new Date(now()).toISOString();
      write(`${JSON.stringify({ time, level, message, ...redactFields(fields) })}\n`);
    };
  }
  return { info: writerOf("info"), warn: writerOf("warn"), error: writerOf("error") };
}

function redactFields(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? redactText(value) : value]),
  );
}

function writeToStderr(line: string): void {
  process.stderr.write(line);
}
