import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "./build-program.ts";
import { linesOf, startProgram } from "./program.ts";
import { tillkit } from "./tillkit.ts";

type Ready = { baseUrl: string; controlUrl: string; pid: number };

let folder: string;
let sandbox: ChildProcess;
let firstLine: string;

beforeAll(async () => {
  await buildProgram();
  folder = await mkdtemp(join(tmpdir(), "tillkit-sandbox-"));
  sandbox = startProgram(["sandbox", "--json", "--data", folder]);
  firstLine = (await linesOf(sandbox).next()).value;
});

afterAll(async () => {
  sandbox.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

describe("tillkit sandbox", () => {
  it("tillkit sandbox --json prints its addresses in the first line and answers there", async () => {
    const ready: Ready = JSON.parse(firstLine);
    expect(ready).toMatchObject({ pid: sandbox.pid, controlUrl: `${ready.baseUrl}/sandbox` });
    expect((await fetch(`${ready.controlUrl}/settings`)).status).toBe(200);
  });

  it("tillkit sandbox rejects a directory that another sandbox uses, in one sentence", async () => {
    const { code, out, error } = await tillkit("sandbox", "--json", "--data", folder);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(JSON.parse(error).error.message).toMatch(/^[A-Z][^\n]+\.$/);
  });

  it("tillkit sandbox rejects a port that is in use, in one sentence", async () => {
    const { port } = new URL(JSON.parse(firstLine).baseUrl);
    const { code, out, error } = await tillkit("sandbox", "--json", "--port", port);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(JSON.parse(error).error.message).toMatch(/^[A-Z][^\n]+\.$/);
  });

  // On a busy machine the second signal may arrive while Node.js already ends the process, which then ends by the signal.
  it("tillkit sandbox exits with code 0 after two interrupt signals", { retry: 2 }, async () => {
    if (sandbox.exitCode !== null || sandbox.signalCode !== null) {
      sandbox = startProgram(["sandbox", "--json"]);
      await linesOf(sandbox).next();
    }
    const ended = new Promise((resolve) => sandbox.on("exit", (code, signal) => resolve({ code, signal })));
    sandbox.kill("SIGINT");
    sandbox.kill("SIGINT");
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});
