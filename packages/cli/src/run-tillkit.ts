import packageJson from "../package.json" with { type: "json" };
import type { Command } from "./command-line/command.ts";
import { findCommand } from "./command-line/find-command.ts";
import { helpFor, helpForAll, helpForGroup } from "./command-line/help.ts";
import { parseCommandLine } from "./command-line/parse-command-line.ts";
import { refuseSecrets, warnOfPasswords } from "./command-line/refuse-secrets.ts";
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

async function runCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  refuseSecrets(args);
  warnOfPasswords(args, terminal);
  const [name] = args;
  if (name === undefined || name === "--help" || name === "-h") return terminal.log(helpForAll(commands));
  if (name === "--version" || name === "-v") return terminal.log(packageJson.version);
  if (name.startsWith("-")) throw new UsageError(`Unknown option ${name}.`);
  const found = findCommand(commands, args);
  const asksForHelp = args.includes("--help") || args.includes("-h");
  if ("group" in found) {
    if (asksForHelp || found.rest.length === 0) return terminal.log(helpForGroup(found.group));
    throw new UsageError(`Unknown subcommand "${found.rest[0]}": use ${namesOf(found.group)}.`);
  }
  if (asksForHelp) return terminal.log(helpFor(found.command));
  await found.command.run(parseCommandLine(found.command, found.rest), terminal);
}

function namesOf(group: readonly Command[]): string {
  const names = group.map(({ name }) => `tillkit ${name}`);
  return names.length === 1 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isKeyRefused = "code" in error && error.code === "unauthorized";
  // It happens often with a sandbox: without a directory it has other keys after each start.
  return isKeyRefused
    ? `${error.message}: check SERVICE_SECRET_KEY, or store another key with tillkit config init --replace.`
    : error.message;
}
