import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stderrLog } from "../src/stderr-log.ts";

const write = process.stderr.write;
let written: string[] = [];

beforeEach(() => {
  written = [];
  process.stderr.write = (text) => {
    written.push(String(text));
    return true;
  };
});
afterEach(() => {
  process.stderr.write = write;
});

test("a merchant who named no log still finds warnings and errors on stderr, a JSON line each", () => {
  stderrLog.info("nothing to see");
  stderrLog.warn("timer.closed_early");
  stderrLog.error("page.failed", { code: "ledger_busy" });
  expect(written.map((line) => JSON.parse(line))).toEqual([
    { level: "warn", message: "timer.closed_early" },
    { level: "error", message: "page.failed", code: "ledger_busy" },
  ]);
  expect(written.every((line) => line.endsWith("}\n"))).toBe(true);
});
