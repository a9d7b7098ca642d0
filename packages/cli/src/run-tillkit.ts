import packageJson from "../package.json" with { type: "json" };
import { helpFor, helpForAll } from "./command-line/help.ts";
import { parseCommandLine } from "./command-line/parse-command-line.ts";
import { standardTerminal, type Terminal } from "./command-line/terminal.ts";
import { UsageError } from "./command-line/usage-error.ts";
import { commands } from "./commands/commands.ts";

/**
 * Runs one command line, without the program's own name: `["sandbox", "--port", "4010"]`.
 * @returns the exit code: 0 for success, 1 for a failed command, 2 for an invalid command line
 */
export async function runTillkit(args: readonly string[], terminal: Terminal = standardTerminal): Promise<number> {
  try {
    await runCommand(args, terminal);
    return 0;
  } catch (error) {
    terminal.error(error instanceof UsageError ? `${error.message} See: tillkit --help` : messageOf(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function runCommand([name, ...rest]: readonly string[], terminal: Terminal): Promise<void> {
  if (name === undefined || name === "--help" || name === "-h") return terminal.log(helpForAll(commands));
  if (name === "--version" || name === "-v") return terminal.log(packageJson.version);
  if (name.startsWith("-")) throw new UsageError(`Unknown option ${name}.`);
  const command = commands.find(({ name: commandName }) => commandName === name);
  if (!command) throw new UsageError(`Unknown command "${name}".`);
  if (rest.includes("--help") || rest.includes("-h")) return terminal.log(helpFor(command));
  await command.run(parseCommandLine(command, rest), terminal);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
