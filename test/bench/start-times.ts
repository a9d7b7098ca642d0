// npm run bench -- start: the start times that a new user sees. Each is compared with a Node process that does nothing.
import { spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "./measured-server.ts";
import { median, report } from "./report.ts";

const REPEATS = 7;
const SANDBOX_LIMIT_MS = 300;
const COLD_START_LIMIT_MS = 25_000;
const WARM_START_LIMIT_MS = 5_000;
/** The three addresses that `npm start` prints once everything runs. */
const PRINTED_ADDRESSES = /Shop\s+\S+[\s\S]*Console\s+\S+[\s\S]*Health\s+\S+/;

const repository = fileURLToPath(new URL("../../", import.meta.url));
const notCopied = new Set([".git", ".tillkit", "node_modules", "dist", "coverage", "test-results"]);

const folder = await mkdtemp(join(tmpdir(), "tillkit-bench-"));
try {
  await measure("createSandbox() in memory", REPEATS, SANDBOX_LIMIT_MS, () => measureSandboxStart(":memory:"));
  let directories = 0;
  await measure("createSandbox() on a new directory", REPEATS, SANDBOX_LIMIT_MS, () =>
    measureSandboxStart(join(folder, `data-${directories++}`)),
  );
  await measureStarts();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(what: string, repeats: number, limitMs: number, run: () => Promise<number>): Promise<void> {
  const times: number[] = [];
  const ratios: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const reference = await measureBareNode();
    const time = await run();
    times.push(time);
    ratios.push(time / reference);
  }
  const measured = `${median(times).toFixed(0).padStart(6)} ms, ${median(ratios).toFixed(1)} × a bare Node process`;
  report(what, measured, `at most ${limitMs} ms`, median(times) <= limitMs);
}

/** The first sandbox of a process, as in a test file or in the command. */
async function measureSandboxStart(data: string): Promise<number> {
  const server = await startServer(data);
  await server.close();
  return server.readyMs;
}

async function measureBareNode(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--eval", "0"]);
  await new Promise((resolve) => child.once("close", resolve));
  return performance.now() - startedAt;
}

/** A copy without installed packages, with its own empty package store and npm cache. */
async function measureStarts(): Promise<void> {
  const clone = join(folder, "clone");
  await cp(repository, clone, { recursive: true, filter: (path) => !notCopied.has(basename(path)) });
  const emptyCaches = { npm_config_store_dir: join(folder, "store"), npm_config_cache: join(folder, "cache") };
  await measure("npm start, nothing downloaded yet", 1, COLD_START_LIMIT_MS, () => measureNpmStart(clone, emptyCaches));
  await measure("npm start, again", 3, WARM_START_LIMIT_MS, () => measureNpmStart(clone, emptyCaches));
}

/** The time from the command to the third printed address: shop, console, health. */
function measureNpmStart(clone: string, environment: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const child = spawn("npm", ["start"], { cwd: clone, env: { ...process.env, ...environment } });
  return new Promise((resolve, reject) => {
    let output = "";
    let readyMs: number | null = null;
    const checkOutput = (chunk: Buffer): void => {
      output += chunk.toString();
      if (readyMs !== null || !PRINTED_ADDRESSES.test(output)) return;
      readyMs = performance.now() - startedAt;
      child.kill("SIGTERM");
    };
    child.stdout.on("data", checkOutput);
    child.stderr.on("data", checkOutput);
    child.on("close", () =>
      readyMs === null ? reject(new Error(`npm start was never ready:\n${output}`)) : resolve(readyMs),
    );
  });
}
