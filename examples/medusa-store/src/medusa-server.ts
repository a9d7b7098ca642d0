import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { command } from "./npm.ts";

/** A Medusa that runs in a process of its own. */
export type MedusaServer = {
  readonly url: string;
  /** Everything it has printed. */
  log(): string;
  stop(): Promise<void>;
  /** As a machine that loses its power: nothing is finished, nobody is told. */
  kill(): Promise<void>;
};

export type MedusaEnvironment = Readonly<Record<string, string>>;

const PATIENCE_MS = 120_000;
const LONGEST_STOP_MS = 10_000;

/** Creates Medusa's tables, and those of its plugins. */
export async function migrate(store: string, environment: MedusaEnvironment): Promise<void> {
  await medusa(store, ["db:migrate"], environment);
}

/** Fills an empty database with a small shop and its owner. */
export async function seed(store: string, environment: MedusaEnvironment): Promise<void> {
  await medusa(store, ["exec", "./seed.js"], environment);
}

/** Builds the owner's pages, and puts them where `medusa start` looks for them. */
export async function buildAdmin(store: string, environment: MedusaEnvironment): Promise<void> {
  await medusa(store, ["build", "--admin-only"], environment);
  await cp(join(store, ".medusa", "admin"), join(store, "public", "admin"), { recursive: true });
}

/** Resolves when the server answers. @throws Error with what it printed when it does not */
export async function startMedusa(store: string, environment: MedusaEnvironment, port: number): Promise<MedusaServer> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [program(store), "start", "--host", "127.0.0.1", "--port", String(port)], {
    cwd: store,
    env: everything(environment),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const keep = (chunk: string) => {
    printed += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  await untilItAnswers(`${url}/health`, child, () => printed);
  return {
    url,
    log: () => printed,
    async stop() {
      const killer = setTimeout(() => child.kill("SIGKILL"), LONGEST_STOP_MS);
      await end(child, "SIGTERM");
      clearTimeout(killer);
    },
    kill: () => end(child, "SIGKILL"),
  };
}

async function untilItAnswers(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (
    !(await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`Medusa ended with code ${child.exitCode}:\n${printed()}`);
    if (Date.now() > giveUpAt) {
      await end(child, "SIGKILL");
      throw new Error(`Medusa does not answer after ${PATIENCE_MS / 1_000} s:\n${printed()}`);
    }
    await sleep(50);
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

async function medusa(store: string, what: readonly string[], environment: MedusaEnvironment): Promise<void> {
  await command(process.execPath, [program(store), ...what], store, everything(environment));
}

function program(store: string): string {
  return join(store, "node_modules", "@medusajs", "cli", "cli.js");
}

function everything(environment: MedusaEnvironment): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: "production", MEDUSA_DISABLE_TELEMETRY: "true", ...environment };
}
