import { spawn } from "node:child_process";
import process from "node:process";

export type RunOptions = {
  /** Shows the program's standard error while the program runs. Otherwise only the error of a failure contains it. */
  readonly showProgress?: true;
  readonly environment?: NodeJS.ProcessEnv;
  /** Ends the program. */
  readonly signal?: AbortSignal;
};

/**
 * Runs a program to its end and returns its standard output.
 * @throws Error with the command and everything that the program printed, if it fails
 */
export function runProgram(
  program: string,
  args: readonly string[],
  folder: string,
  { showProgress, environment = process.env, signal }: RunOptions = {},
): Promise<string> {
  const child = spawn(program, args, {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", showProgress ? "inherit" : "pipe"],
    ...(signal ? { signal } : {}),
  });
  let output = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) return resolve(output);
      reject(new Error(`${program} ${args.join(" ")} failed in ${folder}:\n${output}\n${errors}`));
    });
  });
}

/** Runs the npm that started this program, or the one on the path. */
export function runNpm(args: readonly string[], folder: string): Promise<string> {
  // `npm run --silent` would otherwise silence the errors of this npm too.
  const environment = { ...process.env, npm_config_loglevel: "error" };
  const npm = process.env.npm_execpath;
  return npm?.endsWith("npm-cli.js")
    ? runProgram(process.execPath, [npm, ...args], folder, { environment })
    : runProgram("npm", args, folder, { environment });
}
