import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { CommandResult } from "./tillkit.ts";

const cli = fileURLToPath(new URL("..", import.meta.url));
// Inside the package, so that the built program finds the package's dependencies.
const built = join(cli, "node_modules", `.program-${process.pid}-${process.env.VITEST_POOL_ID ?? 0}`);

/** Builds the program as it is published, which starts several times as fast as its sources. Call it before all tests of a file. */
export async function buildProgram(): Promise<void> {
  const tsup = createRequire(new URL("../../../package.json", import.meta.url)).resolve("tsup/dist/cli-default.js");
  const args = [tsup, "--config", "../../tsup.config.ts", "--out-dir", built, "--silent"];
  const build = spawn(process.execPath, args, { cwd: cli, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(build, "close");
  if (code !== 0) throw new Error("The program could not be built.");
}

export async function removeProgram(): Promise<void> {
  await rm(built, { recursive: true, force: true });
}

export type RunOptions = { readonly env?: Readonly<Record<string, string>>; readonly input?: string | Uint8Array };

/** Starts the program in a process of its own, without a terminal and without the keys of this process. */
export function startProgram(args: readonly string[], { env = {} }: RunOptions = {}): ChildProcess {
  const { SERVICE_SECRET_KEY, SERVICE_BASE_URL, SERVICE_WEBHOOK_SECRET, ...rest } = process.env;
  return spawn(process.execPath, [join(built, "tillkit.js"), ...args], {
    env: { ...rest, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Runs the program to its end. */
export async function runProgram(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const child = startProgram(args, options);
  let [out, error] = ["", ""];
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

/** The fields that the README promises for `--json` of a command. */
export async function promisedFields(command: string): Promise<readonly string[]> {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const row = readme.split("\n").find((line) => line.startsWith(`| \`${command}\``) && /\| `\w+` `\w+`/.test(line));
  return [...(row?.split("|")[2] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
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
