import { parseArgs } from "node:util";
import type { Command, CommandLine } from "./command.ts";
import { nearest } from "./nearest.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Does not use the strict mode of `parseArgs`, whose messages have several sentences.
 * @throws UsageError whose message is one sentence
 */
export function parseCommandLine(command: Command, args: readonly string[]): CommandLine {
  const options = Object.entries(command.options).map(
    ([name, option]) => [name, { type: option.value === undefined ? "boolean" : "string" }] as const,
  );
  const { tokens } = parseArgs({ args: [...args], options: Object.fromEntries(options), strict: false, tokens: true });
  const positionals: string[] = [];
  const lists = new Map<string, readonly string[]>();
  const flags = new Set<string>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = command.options[token.name];
    if (!option) throw unknownOption(token.rawName, command);
    if (option.value === undefined) flags.add(parseFlag(token));
    else lists.set(token.name, [...(lists.get(token.name) ?? []), parseValue(token)]);
  }
  checkPositionals(command, positionals);
  const values = new Map([...lists].map(([name, all]) => [name, all.at(-1) ?? ""]));
  return { positionals, values, lists, flags };
}

function unknownOption(rawName: string, { options }: Command): UsageError {
  if (rawName === "--database") return new UsageError("The option --database is now called --ledger.");
  const meant = nearest(
    rawName,
    Object.keys(options).map((name) => `--${name}`),
  );
  return new UsageError(
    meant === null ? `Unknown option ${rawName}.` : `Unknown option ${rawName}: did you mean ${meant}?`,
  );
}

type Token = { name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined };

function parseFlag({ name, rawName, value }: Token): string {
  if (value !== undefined) throw new UsageError(`The option ${rawName} takes no value.`);
  return name;
}

function parseValue({ rawName, value, inlineValue }: Token): string {
  const isNextOption = inlineValue !== true && value?.startsWith("-");
  if (!value || isNextOption) throw new UsageError(`The option ${rawName} needs a value.`);
  return value;
}

function checkPositionals(command: Command, positionals: readonly string[]): void {
  const missing = command.positionals[positionals.length];
  if (missing !== undefined && !command.positionalsOptional)
    throw new UsageError(`Missing argument: tillkit ${command.name} <${missing}>.`);
  const surplus = positionals[command.positionals.length];
  if (surplus !== undefined)
    throw new UsageError(`Unexpected argument "${surplus}": tillkit ${command.name} does not take it.`);
}
