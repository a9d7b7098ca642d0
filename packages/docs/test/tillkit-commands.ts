import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../src/folders.ts";
import type { TillkitCommands } from "./shell-commands.ts";

/** Reads the commands and options of `tillkit` from the script with which the program completes its commands in a shell. */
export async function readTillkitCommands(): Promise<TillkitCommands> {
  const program = join(repository, "packages/cli/src/tillkit.ts");
  const args = ["--conditions=@tillkit/source", "--import", "tsx", program, "completion", "bash"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: repository });
  const lines = [...stdout.matchAll(/^ +"([a-z -]+)"\*\) words="([^"]*)"/gm)];
  return new Map(lines.map(([, name = "", options = ""]) => [name, new Set(options.split(" "))]));
}
