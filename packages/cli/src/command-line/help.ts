import type { Command, CommandGroup } from "./command.ts";

export function helpForAll(groups: readonly CommandGroup[]): string {
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => name.length)));
  const parts = groups.map(({ title, commands }) => [
    title,
    ...table(
      commands.map(({ name, summary }) => [name, summary]),
      width,
    ),
    "",
  ]);
  return [
    "Usage: tillkit <command> [options]",
    "",
    ...parts.flat(),
    "Run tillkit help <command> for the options of a command, tillkit --version for the version.",
  ].join("\n");
}

/** The commands of one noun, such as `webhooks list` and `webhooks create`. */
export function helpForGroup(group: readonly Command[]): string {
  const noun = group[0]?.name.split(" ")[0];
  return [
    `Usage: tillkit ${noun} <subcommand> [options]`,
    "",
    ...table(group.map((command) => [command.name, command.summary])),
    "",
    `Run tillkit ${group[0]?.name} --help for the options of a subcommand.`,
  ].join("\n");
}

export function helpFor(command: Command): string {
  const usage = [
    "tillkit",
    command.name,
    ...command.positionals.map((word) => (command.positionalsOptional ? `[<${word}>]` : `<${word}>`)),
    "[options]",
  ].join(" ");
  const options = Object.entries(command.options).map(([name, { value, description }]): [string, string] => [
    value === undefined ? `--${name}` : `--${name} <${value}>`,
    description,
  ]);
  return [`Usage: ${usage}`, "", `${command.summary}.`, "", ...table(options), "", `Example: ${command.example}`].join(
    "\n",
  );
}

function table(
  rows: readonly (readonly [left: string, right: string])[],
  width = Math.max(...rows.map(([left]) => left.length)),
): readonly string[] {
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
