import process from "node:process";
import { createInterface } from "node:readline/promises";
import type { CommandLine } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Asks a person before money moves. `--yes` answers for a script.
 * @throws UsageError where nobody can answer, and Error when the answer is not yes
 */
export async function confirm(question: string, { flags }: CommandLine): Promise<void> {
  if (flags.has("yes")) return;
  if (!process.stdin.isTTY) throw new UsageError(`${question} Add --yes to confirm, because nobody can answer here.`);
  const answer = await askInTerminal(`${question} Type yes to continue: `);
  if (answer.trim().toLowerCase() !== "yes") throw new Error("Nothing was changed.");
}

/** What a person types after this question, which is written to standard error. */
export async function askInTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return await lines.question(question).finally(() => lines.close());
}
