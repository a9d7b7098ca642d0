import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { bundleProgram } from "../../../test/programs/bundle-program.ts";
import { activityLine } from "../src/index.ts";
import { api, closeAfterTest, eventually, newEndpoint, newSession, openReceiver, openSandbox } from "./open-sandbox.ts";

/** A sandbox whose activity lines are collected, with durations replaced by `N ms`. */
async function openPrintingSandbox() {
  const lines: string[] = [];
  const sandbox = await openSandbox({
    onActivity: (activity) => lines.push(activityLine(activity).replace(/\d+ ms/, "N ms")),
  });
  return { sandbox, lines };
}

describe("the activity lines of the sandbox", () => {
  it("a payment prints its requests and a line for the webhook of each event", async () => {
    const { sandbox, lines } = await openPrintingSandbox();
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
    const { id } = await newSession(sandbox);
    await sandbox.control.paySession(id, { method: "wave", outcome: "completed" });
    await eventually(() => lines.length === 4);
    expect(lines).toEqual([
      "POST /webhooks 201 N ms",
      "POST /v1/checkout-sessions 201 N ms",
      "webhook PAYMENT_CREATED → no endpoint is subscribed",
      "webhook PAYMENT_SUCCEEDED → 200 in N ms",
    ]);
  });

  it("the line of a request names its error and its fault", async () => {
    const { sandbox, lines } = await openPrintingSandbox();
    await api(sandbox, "POST /checkout-sessions", { body: { amount: "much" } });
    await sandbox.control.addFault({ method: "GET", path: "/transactions", status: 503 });
    await api(sandbox, "GET /transactions?search=awa@example.test");
    await sandbox.control.addFault({ method: "GET", path: "/transactions", reset: true });
    await api(sandbox, "GET /transactions").catch(() => null);
    expect(lines).toEqual([
      "POST /checkout-sessions 400 N ms (validation_failed)",
      "GET /transactions 503 N ms (service_unavailable, fault: before status 503)",
      "GET /transactions no answer N ms (fault: before reset)",
    ]);
  });

  it("every attempt of a webhook is a line", async () => {
    const { sandbox, lines } = await openPrintingSandbox();
    await sandbox.control.changeSettings({ delivery: { dropFirst: 1 } });
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
    const { id } = await newSession(sandbox);
    await sandbox.control.paySession(id, { method: "wave", outcome: "completed" });
    await eventually(() => lines.some((line) => line.includes("network_error")));
    await sandbox.control.advanceClock(60_000);
    await eventually(() => lines.some((line) => line.includes("attempt 2")));
    expect(lines.filter((line) => line.includes("SUCCEEDED"))).toEqual([
      "webhook PAYMENT_SUCCEEDED → network_error in N ms",
      "webhook PAYMENT_SUCCEEDED → 200 in N ms, attempt 2",
    ]);
  });

  it("control characters in the path of a request are printed encoded, and a long path is cut", () => {
    const path = `/\u001b[2J\u009b${"x".repeat(200)}`;
    const line = activityLine({
      kind: "request",
      method: "GET",
      path,
      status: 404,
      durationMs: 1,
      errorCode: null,
      replayed: false,
      fault: null,
    });
    expect(line).toMatch(/^GET \/%1b\[2J%9bx+… 404 1 ms$/);
    expect(line.length).toBeLessThan(150);
  });

  it("the program prints a line for each request, but not with the option quiet or json", async () => {
    const { file, remove } = await bundleProgram(new URL("sandbox-program.ts", import.meta.url));
    closeAfterTest(remove);
    const options = ["printing", "quiet", "json"];
    const [printing, quiet, json] = await Promise.all(options.map((option) => linesOfProgram(file, option)));
    expect(printing?.at(-1)).toMatch(/^ {2}GET \/transactions 200 \d+ ms$/);
    expect(quiet?.filter((line) => line.includes("GET "))).toEqual([]);
    expect(quiet?.join("\n")).toContain("Press Ctrl-C to stop.");
    expect(json).toEqual([expect.stringMatching(/^\{.*\}$/)]);
  });
});

/** Starts the program, requests a list, stops the program, and returns every line that it printed. */
async function linesOfProgram(file: string, option: string): Promise<readonly string[]> {
  const child = spawn(process.execPath, [file, ":memory:", option], { stdio: ["ignore", "pipe", "inherit"] });
  closeAfterTest(async () => child.kill("SIGKILL"));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const closed = once(reader, "close");
  // The program prints the base URL before the key, so both are known when the key is found.
  const key = await new Promise<string>((resolve) => {
    reader.on("line", (line) => {
      lines.push(line);
      const [found] = /svc_sk_test_\w+/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(lines.join("\n"))?.[0];
  await fetch(`${baseUrl}/transactions`, { headers: { "X-API-Key": key } });
  child.kill("SIGTERM");
  await closed;
  return lines.filter((line) => line !== "");
}
