// npm run bench: how long a newcomer waits. Prints one line a measurement, with the limit it must stay under.
import { spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSandbox } from "@tillkit/sandbox";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const leftBehind = new Set([".git", ".tillkit", "node_modules", "dist", "coverage", "test-results"]);

const folder = await mkdtemp(join(tmpdir(), "tillkit-bench-"));
try {
  await measureSandbox();
  await measureStart();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measureSandbox(): Promise<void> {
  const [first, ...others] = [await sandboxReady(), await sandboxReady(), await sandboxReady(), await sandboxReady()];
  report("createSandbox(), the first of a process", first, 300);
  report("createSandbox(), the slowest of three more", Math.max(...others), 300);
}

async function sandboxReady(): Promise<number> {
  const startedAt = performance.now();
  const sandbox = await createSandbox({ data: ":memory:" });
  const ready = performance.now() - startedAt;
  await sandbox.close();
  return ready;
}

/** A copy without anything installed, and a package store and npm cache of its own: nothing was ever downloaded. */
async function measureStart(): Promise<void> {
  const clone = join(folder, "clone");
  await cp(repository, clone, { recursive: true, filter: (path) => !leftBehind.has(basename(path)) });
  const nothingYet = { npm_config_store_dir: join(folder, "store"), npm_config_cache: join(folder, "cache") };
  report("npm start, nothing downloaded yet", await startReady(clone, nothingYet), 25_000);
  report("npm start, again", await startReady(clone, nothingYet), 5_000);
}

/** From the command to the line that says ready. */
function startReady(clone: string, environment: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const child = spawn("npm", ["start"], { cwd: clone, env: { ...process.env, ...environment } });
  return new Promise((resolve, reject) => {
    let said = "";
    let ready: number | null = null;
    const listen = (chunk: Buffer): void => {
      said += chunk.toString();
      if (ready !== null || !/Ready in/.test(said)) return;
      ready = performance.now() - startedAt;
      child.kill("SIGTERM");
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("close", () =>
      ready === null ? reject(new Error(`npm start was never ready:\n${said}`)) : resolve(ready),
    );
  });
}

function report(what: string, ms: number, limitMs: number): void {
  const verdict = ms <= limitMs ? "" : "  TOO SLOW";
  console.log(`${what.padEnd(44)} ${ms.toFixed(0).padStart(6)} ms  (at most ${limitMs} ms)${verdict}`);
  if (ms > limitMs) process.exitCode = 1;
}
