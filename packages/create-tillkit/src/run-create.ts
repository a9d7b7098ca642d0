import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Choices } from "./choices.ts";
import { createProject } from "./create-project.ts";
import { type Flags, nameOf, parseFlags, runningPackageManager } from "./parse-flags.ts";

/** The output of a run, and whether the run may ask questions. */
export type Terminal = {
  log(text: string): void;
  error(text: string): void;
  /** Whether a person can answer questions. */
  readonly canAsk: boolean;
};

const standardTerminal: Terminal = {
  log: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
  canAsk: process.stdin.isTTY === true && process.stdout.isTTY === true,
};

/** A mistake on the command line. Every other error means that the project could not be written. */
export class FlagMistake extends Error {
  override readonly name = "FlagMistake";
}

/** @returns the exit code: 0 for success, 1 if no project was written, 2 for a mistake on the command line */
export async function runCreate(args: readonly string[], terminal: Terminal = standardTerminal): Promise<number> {
  try {
    return (await create(args, { command: "npm create tillkit", terminal })) ? 0 : 1;
  } catch (error) {
    const isMistake = error instanceof FlagMistake;
    terminal.error(`${messageOf(error)}${isMistake ? " See: npm create tillkit --help" : ""}`);
    return isMistake ? 2 : 1;
  }
}

/**
 * Writes a project, as chosen on the command line and in the answers to questions, and prints the next steps.
 * @returns false if the person cancelled, so that nothing was written
 * @throws FlagMistake; Error whose message is one sentence for the terminal
 */
export async function create(
  args: readonly string[],
  { command, terminal }: { readonly command: string; readonly terminal: Terminal },
): Promise<boolean> {
  const choices = await choose(args, command, terminal);
  if (choices === null) return false;
  if (choices === "help") {
    terminal.log(helpText(command));
    return true;
  }
  await createProject(choices, terminal.log);
  terminal.log(nextSteps(choices));
  return true;
}

/** Null: the person cancelled. */
async function choose(args: readonly string[], command: string, terminal: Terminal): Promise<Choices | "help" | null> {
  try {
    const flags = parseFlags(args);
    return flags.help ? "help" : await completeChoices(flags, command, terminal);
  } catch (error) {
    throw new FlagMistake(messageOf(error), { cause: error });
  }
}

async function completeChoices(flags: Flags, command: string, terminal: Terminal): Promise<Choices | null> {
  const answers = flags.yes || !terminal.canAsk ? withDefaults(flags, command) : await askPerson(flags);
  if (answers === null) return null;
  return {
    ...answers,
    folder: resolve(answers.folder),
    name: nameOf(answers.folder),
    agents: flags.agents ?? true,
    packageManager: flags.packageManager ?? runningPackageManager(process.env.npm_config_user_agent),
    packages: flags.packages === undefined ? packagesOfClone() : resolve(flags.packages),
  };
}

type Answers = Pick<Choices, "folder" | "host" | "install">;

function withDefaults({ folder, host = "express", install = true }: Flags, command: string): Answers {
  if (folder === undefined) throw new Error(`Name the folder of the new shop: ${command} my-shop.`);
  return { folder, host, install };
}

// A run with flags asks nothing, so it does not load the package for questions.
async function askPerson(flags: Flags): Promise<Answers | null> {
  const { ask } = await import("./ask.ts");
  return await ask(flags);
}

/** The folder with the packed packages of this clone of the repository, because npm may not have these packages yet. Else null. */
function packagesOfClone(): string | null {
  const release = fileURLToPath(new URL("../../../release", import.meta.url));
  const isClone = existsSync(join(release, "..", "packages", "create-tillkit"));
  return isClone && existsSync(join(release, "add.mjs")) ? release : null;
}

function nextSteps({ folder, packageManager, install }: Choices): string {
  const steps = [
    `cd ${relative(process.cwd(), folder) || "."}`,
    ...(install ? [] : [`${packageManager} install`]),
    `${packageManager} test      # green before you change a line`,
    `${packageManager} start     # the shop with a sandbox: pay with the card 4242 4242 4242 4242`,
  ];
  return [
    "The new shop is ready. Next:",
    "",
    ...steps.map((step) => `  ${step}`),
    "",
    "Its README.md says what to change first.",
  ].join("\n");
}

function helpText(command: string): string {
  return `Usage: ${command} [folder] [options]

Writes a shop with a store adapter, its server, refunds, the contract test and a README. Asks for the choices that you leave out.

  --host <name>           express, fastify, hono or node
  --npm, --pnpm, --yarn   the package manager; by default the package manager that runs this program
  --packages <folder>     install our packages from this folder of tarballs (npm run pack:all makes one), not from npm
  --no-install            write the files only
  --no-agents             write no AGENTS.md and CLAUDE.md for developers' assistants
  --yes, -y               ask nothing: Express, and install

Example: ${command} my-shop --host fastify`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
