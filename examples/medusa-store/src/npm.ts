import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs npm without install scripts. @throws Error with npm's output when it fails */
export async function npm(parameters: readonly string[], folder: string): Promise<void> {
  const program = process.platform === "win32" ? "npm.cmd" : "npm";
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await runProgram(program, [...parameters, ...options], folder);
}

/** Runs a program. @returns the program's output. @throws Error with the output when the program fails */
export async function runProgram(
  program: string,
  parameters: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  try {
    const { stdout } = await run(program, parameters, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${parameters.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}
