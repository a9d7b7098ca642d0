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
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${question} Type yes to continue: `).finally(() => lines.close());
  if (answer.trim().toLowerCase() !== "yes") throw new Error("Nothing was changed.");
}
