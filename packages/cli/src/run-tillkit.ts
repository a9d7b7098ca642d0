import { type CAC, cac } from "cac";
import packageJson from "../package.json" with { type: "json" };
import { addSandboxCommand } from "./sandbox-options.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Runs one command line, without the program's own name: `["sandbox", "--port", "4010"]`.
 * @returns the exit code: 0 done, 1 the command failed, 2 the command line was not understood.
 */
export async function runTillkit(args: readonly string[]): Promise<number> {
  const tillkit = createCommandLine();
  try {
    tillkit.parse(["node", "tillkit", ...args], { run: false });
    if (tillkit.options.help || tillkit.options.version) return 0;
    if (tillkit.matchedCommand === undefined) return answerWithoutCommand(tillkit);
    await tillkit.runMatchedCommand();
    return 0;
  } catch (error) {
    const usage = error instanceof UsageError || (error instanceof Error && error.name === "CACError");
    console.error(usage ? `${sentence(error.message)} See: tillkit --help` : explain(error));
    return usage ? 2 : 1;
  }
}

function createCommandLine(): CAC {
  const tillkit = cac("tillkit");
  addSandboxCommand(tillkit);
  tillkit.help();
  tillkit.version(packageJson.version);
  return tillkit;
}

function answerWithoutCommand(tillkit: CAC): number {
  const [name] = tillkit.args;
  if (name !== undefined) throw new UsageError(`There is no command "${name}".`);
  const [option] = Object.keys(tillkit.options).filter((key) => key !== "--");
  if (option !== undefined) throw new UsageError(`There is no option --${option} here.`);
  tillkit.outputHelp();
  return 0;
}

/** The parser speaks in fragments; people get a sentence. */
const sentences: readonly [fragment: RegExp, sentence: string][] = [
  [/^Unknown option `(.+)`$/, "There is no option $1 here."],
  [/^option `(\S+).*` value is missing$/, "The option $1 needs a value."],
  [/^Unused args: (.+)$/, "The command takes options only, so $1 is too much."],
];

function sentence(text: string): string {
  const [fragment, words] = sentences.find(([one]) => one.test(text)) ?? [text, text];
  return text.replace(fragment, words).replaceAll("`", '"');
}

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
