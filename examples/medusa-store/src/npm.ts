import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** No install script of anybody runs. @throws Error with everything npm said */
export async function npm(what: readonly string[], folder: string): Promise<void> {
  const program = process.platform === "win32" ? "npm.cmd" : "npm";
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await command(program, [...what, ...options], folder);
}

/** Runs a program to its end. @returns what it printed. @throws Error with everything it printed when it failed */
export async function command(
  program: string,
  what: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  try {
    const { stdout } = await run(program, what, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${what.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}
