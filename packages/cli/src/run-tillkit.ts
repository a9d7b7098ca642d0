import { codeOf } from "@tillkit/core";
import packageJson from "../package.json" with { type: "json" };
import type { Command } from "./command-line/command.ts";
import { ExitCode } from "./command-line/exit-code.ts";
import { findCommand } from "./command-line/find-command.ts";
import { helpFor, helpForAll, helpForGroup } from "./command-line/help.ts";
import { nearest } from "./command-line/nearest.ts";
import { parseCommandLine } from "./command-line/parse-command-line.ts";
import { refuseSecrets, warnOfPasswords } from "./command-line/refuse-secrets.ts";
import { standardTerminal, type Terminal } from "./command-line/terminal.ts";
import { UsageError } from "./command-line/usage-error.ts";
import { commandGroups, commands } from "./commands/commands.ts";

/**
 * Runs one command line, without the program's own name: `["sandbox", "--port", "4010"]`.
 * @returns the exit code: 0 for success, 1 for a failed command, 2 for an invalid command line, 3 when `audit` found a difference
 */
export async function runTillkit(args: readonly string[], terminal: Terminal = standardTerminal): Promise<number> {
  try {
    await runCommand(args, terminal);
    return 0;
  } catch (error) {
    if (error instanceof ExitCode) return error.exitCode;
    printError(error, args, terminal);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** One sentence, and after a wrong command line the help of its command; with `--json` one line of JSON. */
function printError(error: unknown, args: readonly string[], terminal: Terminal): void {
  const isUsage = error instanceof UsageError;
  const message = messageOf(error);
  if (args.includes("--json")) {
    const code = isUsage ? "usage" : codeOf(error).replace(/^unexpected$/, "failed");
    terminal.error(JSON.stringify({ error: { code, message } }));
    return;
  }
  const help = isUsage ? helpAfterMistake(args) : null;
  terminal.error(help === null ? message : `${message}\n\n${help}`);
}

function helpAfterMistake(args: readonly string[]): string {
  try {
    return helpOf(args);
  } catch {
    return "See: tillkit --help";
  }
}

/** The help of the command, or of all commands of the noun, that these words begin with. @throws UsageError for an unknown first word */
function helpOf(words: readonly string[]): string {
  const found = findCommand(commands, words);
  return "group" in found ? helpForGroup(found.group) : helpFor(found.command);
}

async function runCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  refuseSecrets(args);
  warnOfPasswords(args, terminal);
  const [name] = args;
  if (name === undefined || name === "--help" || name === "-h") return terminal.log(helpForAll(commandGroups));
  if (name === "--version" || name === "-v") return terminal.log(packageJson.version);
  if (name === "help") return terminal.log(args.length === 1 ? helpForAll(commandGroups) : helpOf(args.slice(1)));
  if (name.startsWith("-")) throw new UsageError(`Unknown option ${name}.`);
  const found = findCommand(commands, args);
  const asksForHelp = args.includes("--help") || args.includes("-h");
  if ("group" in found) {
    if (asksForHelp || found.rest.length === 0) return terminal.log(helpForGroup(found.group));
    throw new UsageError(`Unknown subcommand "${found.rest[0]}": ${adviceForVerb(found.rest[0] ?? "", found.group)}`);
  }
  if (asksForHelp) return terminal.log(helpFor(found.command));
  await found.command.run(parseCommandLine(found.command, found.rest), terminal);
}

function adviceForVerb(word: string, group: readonly Command[]): string {
  const verb = nearest(
    word,
    group.map(({ name }) => name.split(" ")[1] ?? ""),
  );
  const meant = group.find(({ name }) => verb !== null && name.endsWith(` ${verb}`));
  return meant === undefined ? `use ${namesOf(group)}.` : `did you mean tillkit ${meant.name}?`;
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
