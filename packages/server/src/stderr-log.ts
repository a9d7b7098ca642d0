import process from "node:process";
import type { Log, LogFields } from "@tillkit/core";

/** Warnings and errors as JSON lines on stderr: what a host gets that names no log of its own. */
export const stderrLog: Log = {
  info: () => undefined,
  warn: (message, fields) => write("warn", message, fields),
  error: (message, fields) => write("error", message, fields),
};

function write(level: string, message: string, fields: LogFields = {}): void {
  process.stderr.write(`${JSON.stringify({ level, message, ...fields })}\n`);
}
