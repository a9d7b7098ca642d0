import process from "node:process";
import type { Log, LogFields } from "@tillkit/core";
import { discreet } from "./discreet.ts";

export type LogLevel = "info" | "warn" | "error";

export type JsonLogOptions = {
  /** The least that is written; `warn` unless set. */
  readonly level?: LogLevel;
  /** Where a line goes, its end included; stderr unless set. */
  readonly write?: (line: string) => void;
  readonly now?: () => number;
};

const LEVELS: readonly LogLevel[] = ["info", "warn", "error"];

/**
 * JSON lines: `{"time","level","message",…}`, time in ISO 8601. Whatever looks like a key, a secret, an e-mail, a phone or a
 * card number is blotted out, even where whoever wrote the line forgot.
 */
export function createJsonLog({ level: least = "warn", write = toStderr, now = Date.now }: JsonLogOptions = {}): Log {
  function line(level: LogLevel) {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return () => undefined;
    return (message: string, fields: LogFields = {}): void => {
      const time = new Date(now()).toISOString();
      write(`${JSON.stringify({ time, level, message, ...blotted(fields) })}\n`);
    };
  }
  return { info: line("info"), warn: line("warn"), error: line("error") };
}

function blotted(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? discreet(value) : value]),
  );
}

function toStderr(line: string): void {
  process.stderr.write(line);
}
