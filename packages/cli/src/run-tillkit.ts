import packageJson from "../package.json" with { type: "json" };
import { commands } from "./commands/commands.ts";
import { helpFor, helpForAll } from "./help.ts";
import { readCommandLine } from "./read-command-line.ts";
import { standardTerminal, type Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Runs one command line, without the program's own name: `["sandbox", "--port", "4010"]`.
 * @returns the exit code: 0 done, 1 the command failed, 2 the command line was not understood.
 */
export async function runTillkit(args: readonly string[], terminal: Terminal = standardTerminal): Promise<number> {
  try {
    await answer(args, terminal);
    return 0;
  } catch (error) {
    terminal.error(error instanceof UsageError ? `${error.message} See: tillkit --help` : sentenceOf(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function answer([name, ...rest]: readonly string[], terminal: Terminal): Promise<void> {
  if (name === undefined || name === "--help" || name === "-h") return terminal.log(helpForAll(commands));
  if (name === "--version" || name === "-v") return terminal.log(packageJson.version);
  if (name.startsWith("-")) throw new UsageError(`There is no option ${name} here.`);
  const command = commands.find((one) => one.name === name);
  if (!command) throw new UsageError(`There is no command "${name}".`);
  if (rest.includes("--help") || rest.includes("-h")) return terminal.log(helpFor(command));
  await command.run(readCommandLine(command, rest), terminal);
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
