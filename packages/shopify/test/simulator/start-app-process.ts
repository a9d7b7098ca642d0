import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AppProcessInput } from "./app-process.ts";

export const APP_PROCESS = new URL("./app-process.ts", import.meta.url);

/**
 * Starts the app server in its own process and waits until it listens.
 * @param bundle the program in one file, for a test that starts it many times; without it, the process runs from its sources
 */
export async function startAppProcess(input: AppProcessInput, bundle?: string): Promise<ChildProcess> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const fromSource = ["--conditions=@tillkit/source", "--expose-gc", "--import", loader];
  const child = fork(bundle ?? fileURLToPath(APP_PROCESS), { execArgv: bundle === undefined ? fromSource : [] });
  child.send(input);
  const [message] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (message !== "ready") throw new Error(`The app server did not start: ${message}.`);
  return child;
}

export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
