import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createJsonLog, type LogLevel } from "../src/index.ts";

const now = () => Date.UTC(2026, 0, 6, 12);

function messagesAt(level: LogLevel): string[] {
  const lines: string[] = [];
  const log = createJsonLog({ level, write: (line) => lines.push(line), now });
  log.info("job.waiting");
  log.warn("timer.closed_early");
  log.error("page.failed", { code: "ledger_busy" });
  return lines.map((line) => JSON.parse(line).message);
}

describe("the default log", () => {
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

  test("the default log writes warnings and errors to stderr, one JSON line each", () => {
    const log = createJsonLog();
    log.info("nothing to see");
    log.warn("timer.closed_early");
    log.error("page.failed", { code: "ledger_busy" });
    const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/);
    expect(written.map((line) => JSON.parse(line))).toEqual([
      { time, level: "warn", message: "timer.closed_early" },
      { time, level: "error", message: "page.failed", code: "ledger_busy" },
    ]);
    expect(written.every((line) => line.endsWith("}\n"))).toBe(true);
  });
});

describe("a JSON log", () => {
  test("a JSON log writes the lines of its level and above", () => {
    expect(messagesAt("info")).toEqual(["job.waiting", "timer.closed_early", "page.failed"]);
    expect(messagesAt("error")).toEqual(["page.failed"]);
  });

  test.each([
    ["an e-mail", "awa@example.test"],
    ["a phone", "+225 07 00 00 00 01"],
    ["a card number", "4242 4242 4242 4242"],
    ["an API key", "svc_sk_test_0123456789abcdef"],
    ["a webhook secret", "whsec_0123456789abcdef"],
  ])("a JSON log redacts %s in an adapter's message", (_, secret) => {
    const lines: string[] = [];
    const log = createJsonLog({ level: "info", write: (line) => lines.push(line), now });
    log.info("job.waiting", { reason: `The shop said: ${secret} is wrong.` });
    expect(lines.join()).not.toContain(secret);
    expect(lines.join()).toMatch(/The shop said: \[[a-z-]+\] is wrong\./);
  });

  test("a JSON log leaves a payment's id whole, even one that ends in digits only", () => {
    const lines: string[] = [];
    const paymentId = "0c0f7a2e-1111-4222-8333-123456789012";
    createJsonLog({ write: (line) => lines.push(line), now }).warn("page.failed", { paymentId });
    expect(JSON.parse(lines.join()).paymentId).toBe(paymentId);
  });
});
