import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { programFile } from "./build-program.ts";
import type { CommandResult } from "./tillkit.ts";

export type RunOptions = { readonly env?: Readonly<Record<string, string>>; readonly input?: string | Uint8Array };

/** Starts the program in a process of its own, without a terminal and without the keys of this process. */
export function startProgram(args: readonly string[], { env = {} }: RunOptions = {}): ChildProcess {
  const { SERVICE_SECRET_KEY, SERVICE_BASE_URL, SERVICE_WEBHOOK_SECRET, ...rest } = process.env;
  return spawn(process.execPath, [programFile, ...args], {
    env: { ...rest, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Runs the program to its end. */
export async function runProgram(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const child = startProgram(args, options);
  let out = "";
  let error = "";
  child.stdout?.on("data", (part) => {
    out += part;
  });
  child.stderr?.on("data", (part) => {
    error += part;
  });
  child.stdin?.end(options.input ?? "");
  const [code] = await once(child, "close");
  return { code, out, error };
}

/** The lines of standard output, as they are printed. */
export function linesOf(child: ChildProcess): AsyncIterator<string> {
  if (!child.stdout) throw new Error("The program has no standard output.");
  return createInterface({ input: child.stdout })[Symbol.asyncIterator]();
}

/** Ends a program as Ctrl-C does, and returns its exit code. */
export async function interrupt(child: ChildProcess): Promise<number> {
  const closed = once(child, "close");
  child.kill("SIGINT");
  const [code] = await closed;
  return code;
}
