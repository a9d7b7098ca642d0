import type { Terminal } from "./terminal.ts";

/** One command of `tillkit`, as its help and its reader need it. */
export type Command = {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What stands after the name: `["payment"]`. All of it is needed, unless `wordsMayLack`. */
  readonly words: readonly string[];
  readonly wordsMayLack?: true;
  readonly options: Readonly<Record<string, Option>>;
  readonly example: string;
  /** Resolves when the command is done. @throws UsageError, or an error whose message is one sentence for a person */
  run(line: CommandLine, terminal: Terminal): Promise<void>;
};

/** `value` names what follows the option; without it the option is a switch. */
export type Option = { readonly value?: string; readonly says: string };

/** What a person wrote after the name of the command. */
export type CommandLine = {
  readonly words: readonly string[];
  /** What followed each option; the last where it was given several times. */
  readonly values: ReadonlyMap<string, string>;
  /** All that followed each option. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly switches: ReadonlySet<string>;
};
