import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** A store's server in its own process. */
export type StoreServer = {
  readonly url: string;
  /** The output of the process so far. */
  log(): string;
  stop(): Promise<void>;
  /** Ends the process without a shutdown, as a power failure would. */
  kill(): Promise<void>;
};

export type ServerCommand = {
  /** The platform's name, for errors. */
  readonly name: string;
  readonly folder: string;
  /** What Node runs, with its parameters. */
  readonly program: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly url: string;
  /** A path that answers 2xx when the server is ready. */
  readonly readyPath: string;
};

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 10_000;

/** Resolves when the server answers. @throws Error with the server's output when it does not start */
export async function startServer(command: ServerCommand): Promise<StoreServer> {
  const child = spawn(process.execPath, command.program, {
    cwd: command.folder,
    env: command.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const append = (chunk: string) => {
    printed += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", append);
  child.stderr.setEncoding("utf8").on("data", append);
  await waitUntilReady(command, child, () => printed);
  return {
    url: command.url,
    log: () => printed,
    async stop() {
      const killTimer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      await endProcess(child, "SIGTERM");
      clearTimeout(killTimer);
    },
    kill: () => endProcess(child, "SIGKILL"),
  };
}

async function waitUntilReady(
  { name, url, readyPath }: ServerCommand,
  child: ChildProcess,
  printed: () => string,
): Promise<void> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (
    !(await fetch(url + readyPath).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`${name} ended with code ${child.exitCode}:\n${printed()}`);
    if (Date.now() > giveUpAt) {
      await endProcess(child, "SIGKILL");
      throw new Error(`${name} does not answer after ${START_TIMEOUT_MS / 1_000} s:\n${printed()}`);
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
