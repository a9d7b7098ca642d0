import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeArguments, tillkit } from "./run-program.ts";

type Ready = { baseUrl: string; controlUrl: string; pid: number; keys: Record<"test" | "live", { secret: string }> };

let folder: string;
const running: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-sandbox-"));
});

afterEach(async () => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

describe("tillkit sandbox", () => {
  it("says where it is in its first line, answers there, and stops when it is asked to", async () => {
    const { child, ready } = await start();
    expect(ready).toMatchObject({ pid: child.pid, controlUrl: `${ready.baseUrl}/sandbox` });
    expect((await fetch(`${ready.controlUrl}/settings`)).status).toBe(200);
    expect(await stop(child)).toBe(0);
    await expect(fetch(`${ready.controlUrl}/settings`)).rejects.toThrow();
  });

  it("gives the same keys for the same directory", async () => {
    const first = await start("--data", folder);
    await stop(first.child);
    const second = await start("--data", folder);
    expect(second.ready.keys).toEqual(first.ready.keys);
  });

  it("refuses a directory that another sandbox uses, in one sentence", async () => {
    await start("--data", folder);
    const { code, out, error } = await tillkit("sandbox", "--json", "--data", folder);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toMatch(/^[A-Z][^\n]+\.\n$/);
  });

  it("refuses a port that is taken, in one sentence", async () => {
    const { ready } = await start();
    const { code, out, error } = await tillkit("sandbox", "--json", "--port", new URL(ready.baseUrl).port);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toMatch(/^[A-Z][^\n]+\.\n$/);
  });
});

async function start(...args: readonly string[]): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = spawn(process.execPath, [...nodeArguments, "sandbox", "--json", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push(child);
  for await (const line of createInterface({ input: child.stdout })) return { child, ready: JSON.parse(line) };
  throw new Error("The sandbox ended without a word.");
}

function stop(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.on("exit", resolve);
    child.kill("SIGTERM");
  });
}
