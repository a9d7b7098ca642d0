// npm run bench: the start times that a new user sees. Each is compared with a Node process that does nothing.
import { spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "./measured-server.ts";
import { median, report } from "./report.ts";

const REPEATS = 7;
const SANDBOX_MS = 300;
const COLD_START_MS = 25_000;
const WARM_START_MS = 5_000;

const repository = fileURLToPath(new URL("../../", import.meta.url));
const notCopied = new Set([".git", ".tillkit", "node_modules", "dist", "coverage", "test-results"]);

const folder = await mkdtemp(join(tmpdir(), "tillkit-bench-"));
try {
  await measure("createSandbox() in memory", REPEATS, SANDBOX_MS, () => sandboxReady(":memory:"));
  let directories = 0;
  await measure("createSandbox() on a new directory", REPEATS, SANDBOX_MS, () =>
    sandboxReady(join(folder, `data-${directories++}`)),
  );
  await measureStart();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(what: string, repeats: number, limitMs: number, run: () => Promise<number>): Promise<void> {
  const times: number[] = [];
  const ratios: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const reference = await bareNode();
    const time = await run();
    times.push(time);
    ratios.push(time / reference);
  }
  const measured = `${median(times).toFixed(0).padStart(6)} ms, ${median(ratios).toFixed(1)} × a bare Node process`;
  report(what, measured, `at most ${limitMs} ms`, median(times) <= limitMs);
}

/** The first sandbox of a process, as in a test file or in the command. */
async function sandboxReady(data: string): Promise<number> {
  const server = await startServer(data);
  await server.close();
  return server.readyMs;
}

async function bareNode(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--eval", "0"]);
  await new Promise((resolve) => child.once("close", resolve));
  return performance.now() - startedAt;
}

/** A copy without installed packages, with its own empty package store and npm cache. */
async function measureStart(): Promise<void> {
  const clone = join(folder, "clone");
  await cp(repository, clone, { recursive: true, filter: (path) => !notCopied.has(basename(path)) });
  const emptyCaches = { npm_config_store_dir: join(folder, "store"), npm_config_cache: join(folder, "cache") };
  await measure("npm start, nothing downloaded yet", 1, COLD_START_MS, () => startReady(clone, emptyCaches));
  await measure("npm start, again", 3, WARM_START_MS, () => startReady(clone, emptyCaches));
}

/** The time from the command to the third printed address: shop, console, health. */
function startReady(clone: string, environment: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const child = spawn("npm", ["start"], { cwd: clone, env: { ...process.env, ...environment } });
  return new Promise((resolve, reject) => {
    let output = "";
    let ready: number | null = null;
    const checkOutput = (chunk: Buffer): void => {
      output += chunk.toString();
      if (ready !== null || !/Shop\s+\S+[\s\S]*Console\s+\S+[\s\S]*Health\s+\S+/.test(output)) return;
      ready = performance.now() - startedAt;
      child.kill("SIGTERM");
    };
    child.stdout.on("data", checkOutput);
    child.stderr.on("data", checkOutput);
    child.on("close", () =>
      ready === null ? reject(new Error(`npm start was never ready:\n${output}`)) : resolve(ready),
    );
  });
}
