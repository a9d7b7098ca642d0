import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

// A built contender stands below node_modules, where the peers are found as well.
const requirePeer = createRequire(import.meta.url);

/**
 * Loads a peer. The path is found when the program runs, because the peers are not installed where types are checked: `Exports` is the
 * part of the peer that the benchmark uses.
 */
export function loadPeer<Exports>(name: string): Exports {
  return requirePeer(name) as Exports;
}

/**
 * Runs a program of a benchmark in a process of its own, so that its CPU time and memory are those of one contender.
 *
 * @param program beside the caller, `new URL("./one-client.ts", import.meta.url)`, or what `bundleContender` made of it
 * @returns what the program printed on standard output, which is JSON
 * @throws Error when the program fails
 */
export async function runContender<Figures>(program: URL, args: readonly string[] = []): Promise<Figures> {
  const file = fileURLToPath(program);
  const loader = file.endsWith(".ts") ? process.execArgv : [];
  const child = spawn(process.execPath, [...loader, file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`${program.pathname} ${args.join(" ")} ended with code ${code}.`);
  return JSON.parse(output) as Figures;
}

/** What a contender's program prints at its end. */
export function printFigures(figures: Readonly<Record<string, number | string | boolean>>): void {
  process.stdout.write(JSON.stringify(figures));
}
