import type { Command } from "./command.ts";
import { nearest } from "./nearest.ts";
import { UsageError } from "./usage-error.ts";

export type FoundCommand =
  | { readonly command: Command; readonly rest: readonly string[] }
  /** Only the noun was named: all commands of this noun. */
  | { readonly group: readonly Command[]; readonly rest: readonly string[] };

/** Finds a command by its first one or two words. @throws UsageError for an unknown first word */
export function findCommand(commands: readonly Command[], args: readonly string[]): FoundCommand {
  const [noun = "", verb, ...rest] = args;
  const findByName = (name: string) => commands.find((command) => command.name === name);
  const exact = verb === undefined ? undefined : findByName(`${noun} ${verb}`);
  if (exact) return { command: exact, rest };
  const single = findByName(noun);
  if (single) return { command: single, rest: args.slice(1) };
  const group = commands.filter(({ name }) => name.startsWith(`${noun} `));
  if (group.length === 0) {
    const meant = nearest(noun, [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""))]);
    throw new UsageError(
      meant === null
        ? `Unknown command "${noun}": tillkit --help lists the commands.`
        : `Unknown command "${noun}": did you mean tillkit ${meant}?`,
    );
  }
  return { group, rest: args.slice(1) };
}
