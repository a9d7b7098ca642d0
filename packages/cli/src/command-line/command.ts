import type { Terminal } from "./terminal.ts";

/** The definition of one command of `tillkit`: its help, its arguments and its code. */
export type Command = {
  /** One word, or a noun and a verb: `refunds create`. */
  readonly name: string;
  /** One line for the list of commands, without a full stop. */
  readonly summary: string;
  /** The names of the arguments after the command, such as `["payment"]`. All are required unless `positionalsOptional` is set. */
  readonly positionals: readonly string[];
  readonly positionalsOptional?: true;
  readonly options: Readonly<Record<string, Option>>;
  readonly example: string;
  /** @throws UsageError, or an error whose message is one sentence for a person */
  run(line: CommandLine, terminal: Terminal): Promise<void>;
};

/** Commands of one purpose, as the help shows them together. */
export type CommandGroup = { readonly title: string; readonly commands: readonly Command[] };

/** `value` is the name of the option's value in the help. An option without `value` is a flag. */
export type Option = { readonly value?: string; readonly description: string };

/** The parsed arguments of a command. */
export type CommandLine = {
  readonly positionals: readonly string[];
  /** The value of each option; the last value when the option is repeated. */
  readonly values: ReadonlyMap<string, string>;
  /** All values of each option, in their order. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly flags: ReadonlySet<string>;
};
