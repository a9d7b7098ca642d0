import type { Command } from "../../command-line/command.ts";
import { UsageError } from "../../command-line/usage-error.ts";

/** @param list returns all commands; this command is one of them, so importing their list here would be circular */
export function completionOf(list: () => readonly Command[]): Command {
  return {
    name: "completion",
    summary: "Print a script that lets a shell complete commands and options",
    positionals: ["bash|zsh|fish"],
    options: {},
    example: 'eval "$(tillkit completion bash)"',
    async run({ positionals: [shell = ""] }, terminal) {
      const print = SHELLS[shell];
      if (!print) throw new UsageError(`The shell must be bash, zsh or fish, not "${shell}".`);
      terminal.log(print(list()));
    },
  };
}

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh, fish };

const optionsOf = ({ options }: Command) => [...Object.keys(options), "help"].map((name) => `--${name}`);

/** The first word of each command, with the second words that may follow it: none, for a command of one word. */
function wordsOf(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, string[]>();
  for (const { name } of commands) {
    const [noun = "", verb] = name.split(" ");
    words.set(noun, [...(words.get(noun) ?? []), ...(verb === undefined ? [] : [verb])]);
  }
  return words;
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are variables of the shell
function bash(commands: readonly Command[]): string {
  const words = wordsOf(commands);
  const nouns = [...words].filter(([, verbs]) => verbs.length > 0);
  return [
    "_tillkit() {",
    '  local current="${COMP_WORDS[COMP_CWORD]}" words=""',
    '  case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in',
    ...commands.map((command) => `    "${command.name}"*) words="${optionsOf(command).join(" ")}" ;;`),
    "  esac",
    `  if [ "$COMP_CWORD" = 1 ]; then words="${[...words.keys()].join(" ")}"; fi`,
    '  if [ "$COMP_CWORD" = 2 ]; then case "${COMP_WORDS[1]}" in',
    ...nouns.map(([noun, verbs]) => `    ${noun}) words="${verbs.join(" ")}" ;;`),
    "  esac; fi",
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "}",
    "complete -o default -F _tillkit tillkit",
  ].join("\n");
}
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are variables of the shell

function zsh(commands: readonly Command[]): string {
  return ["autoload -U +X bashcompinit && bashcompinit", bash(commands)].join("\n");
}

function fish(commands: readonly Command[]): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, "\\$&")}'`;
  return commands
    .flatMap(({ name, summary, options }) => {
      const [noun = "", verb] = name.split(" ");
      const seenWords = verb === undefined ? noun : `${noun}; and __fish_seen_subcommand_from ${verb}`;
      const nounOptions = verb === undefined ? `-a ${noun} -d ${quoted(summary)}` : `-a ${noun}`;
      return [
        `complete -c tillkit -f -n __fish_use_subcommand ${nounOptions}`,
        ...(verb === undefined
          ? []
          : [`complete -c tillkit -f -n '__fish_seen_subcommand_from ${noun}' -a ${verb} -d ${quoted(summary)}`]),
        ...Object.entries(options).map(
          ([option, { description }]) =>
            `complete -c tillkit -n '__fish_seen_subcommand_from ${seenWords}' -l ${option} -d ${quoted(description)}`,
        ),
      ];
    })
    .join("\n");
}
