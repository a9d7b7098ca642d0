import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { command } from "./npm.ts";

/** A Medusa server in its own process. */
export type MedusaServer = {
  readonly url: string;
  /** The output of the process so far. */
  log(): string;
  stop(): Promise<void>;
  /** Ends the process without a shutdown, as a power failure would. */
  kill(): Promise<void>;
};

export type MedusaEnvironment = Readonly<Record<string, string>>;

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 10_000;

/** Creates the tables of Medusa and its plugins. */
export async function migrate(store: string, environment: MedusaEnvironment): Promise<void> {
  await runMedusa(store, ["db:migrate"], environment);
}

/** Fills an empty database with products, regions and the owner's account. */
export async function seed(store: string, environment: MedusaEnvironment): Promise<void> {
  await runMedusa(store, ["exec", "./seed.js"], environment);
}

/** Builds the admin and copies it to the folder that `medusa start` serves. */
export async function buildAdmin(store: string, environment: MedusaEnvironment): Promise<void> {
  await runMedusa(store, ["build", "--admin-only"], environment);
  await cp(join(store, ".medusa", "admin"), join(store, "public", "admin"), { recursive: true });
}

/** Resolves when the server answers. @throws Error with the server's output when it does not start */
export async function startMedusa(store: string, environment: MedusaEnvironment, port: number): Promise<MedusaServer> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    process.execPath,
    [medusaProgram(store), "start", "--host", "127.0.0.1", "--port", String(port)],
    {
      cwd: store,
      env: withProcessEnvironment(environment),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let printed = "";
  const append = (chunk: string) => {
    printed += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", append);
  child.stderr.setEncoding("utf8").on("data", append);
  await waitUntilReady(`${url}/health`, child, () => printed);
  return {
    url,
    log: () => printed,
    async stop() {
      const killTimer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      await endProcess(child, "SIGTERM");
      clearTimeout(killTimer);
    },
    kill: () => endProcess(child, "SIGKILL"),
  };
}

async function waitUntilReady(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (
    !(await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`Medusa ended with code ${child.exitCode}:\n${printed()}`);
    if (Date.now() > giveUpAt) {
      await endProcess(child, "SIGKILL");
      throw new Error(`Medusa does not answer after ${START_TIMEOUT_MS / 1_000} s:\n${printed()}`);
    }
    await sleep(50);
  }
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

async function runMedusa(store: string, parameters: readonly string[], environment: MedusaEnvironment): Promise<void> {
  await command(process.execPath, [medusaProgram(store), ...parameters], store, withProcessEnvironment(environment));
}

function medusaProgram(store: string): string {
  return join(store, "node_modules", "@medusajs", "cli", "cli.js");
}

function withProcessEnvironment(environment: MedusaEnvironment): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: "production", MEDUSA_DISABLE_TELEMETRY: "true", ...environment };
}
