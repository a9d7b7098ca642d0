import { cancel, confirm, isCancel, select, text } from "@clack/prompts";
import { type Choices, type Host, nameMistake } from "./choices.ts";
import { type Flags, nameOf } from "./parse-flags.ts";

type Answers = Pick<Choices, "folder" | "host" | "install">;

/** Asks for the choices that the command line left out. Null: the person cancelled. */
export async function ask(flags: Flags): Promise<Answers | null> {
  const folder =
    flags.folder ??
    (await text({ message: "The folder of the new shop", initialValue: "my-shop", validate: mistakeInFolder }));
  if (isCancel(folder)) return reportCancel();
  const host =
    flags.host ?? (await select<Host>({ message: "What does the shop's server run on?", options: [...hosts] }));
  if (isCancel(host)) return reportCancel();
  const install = flags.install ?? (await confirm({ message: "Install the packages now?" }));
  if (isCancel(install)) return reportCancel();
  return { folder, host, install };
}

const hosts = [
  { value: "express", label: "Express" },
  { value: "fastify", label: "Fastify" },
  { value: "hono", label: "Hono" },
  { value: "node", label: "plain Node" },
] as const;

/** One sentence about the mistake; undefined if there is none. */
function mistakeInFolder(folder: string | undefined): string | undefined {
  try {
    nameOf(folder ?? "");
    return undefined;
  } catch {
    return nameMistake(folder ?? "") ?? undefined;
  }
}

function reportCancel(): null {
  cancel("Nothing was written.");
  return null;
}
