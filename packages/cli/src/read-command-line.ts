import { parseArgs } from "node:util";
import type { Command, CommandLine } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** @throws UsageError in one sentence of our own: parseArgs would say it in three. */
export function readCommandLine(command: Command, args: readonly string[]): CommandLine {
  const options = Object.entries(command.options).map(
    ([name, option]) => [name, { type: option.value === undefined ? "boolean" : "string" }] as const,
  );
  const { tokens } = parseArgs({ args: [...args], options: Object.fromEntries(options), strict: false, tokens: true });
  const words: string[] = [];
  const lists = new Map<string, readonly string[]>();
  const switches = new Set<string>();
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const option = command.options[token.name];
    if (!option) throw new UsageError(`There is no option ${token.rawName} here.`);
    if (option.value === undefined) switches.add(readSwitch(token));
    else lists.set(token.name, [...(lists.get(token.name) ?? []), readValue(token)]);
  }
  checkWords(command, words);
  const values = new Map([...lists].map(([name, all]) => [name, all.at(-1) ?? ""]));
  return { words, values, lists, switches };
}

type Token = { name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined };

function readSwitch({ name, rawName, value }: Token): string {
  if (value !== undefined) throw new UsageError(`The option ${rawName} takes no value.`);
  return name;
}

function readValue({ rawName, value, inlineValue }: Token): string {
  const isNextOption = inlineValue !== true && value?.startsWith("-");
  if (!value || isNextOption) throw new UsageError(`The option ${rawName} needs a value.`);
  return value;
}

function checkWords(command: Command, words: readonly string[]): void {
  const missing = command.words[words.length];
  if (missing !== undefined && !command.wordsMayLack)
    throw new UsageError(`Say which ${missing}: tillkit ${command.name} <${missing}>.`);
  const tooMuch = words[command.words.length];
  if (tooMuch !== undefined) throw new UsageError(`"${tooMuch}" is too much for tillkit ${command.name}.`);
}
