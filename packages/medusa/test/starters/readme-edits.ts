import { readFile } from "node:fs/promises";
import type { StarterFiles } from "./starter-files.ts";

/** One numbered step of the README's storefront section: a path and the code to put there. */
export type ReadmeEdit = { readonly path: string; readonly blocks: readonly string[] };

export async function readStorefrontEdits(): Promise<readonly ReadmeEdit[]> {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const from = readme.indexOf("## The storefront: five edits");
  const section = readme.slice(from, readme.indexOf("\n`returnUrl` is", from));
  return section.split(/^\*\*\d\. /m).flatMap((step) => {
    const path = /^`([^`]+)`/.exec(step)?.[1];
    const blocks = [...step.matchAll(/^```tsx?\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
    return path === undefined ? [] : [{ path, blocks }];
  });
}

/** Does what a merchant does who follows the five steps. @throws Error when a file has no such place */
export function applyEdits(files: StarterFiles, edits: readonly ReadmeEdit[]): StarterFiles {
  const [methodNames, paymentStep, payButton, ...newFiles] = edits;
  if (!methodNames || !paymentStep || !payButton)
    throw new Error("The README has fewer than three edits of existing files.");
  const edited = new Map(files);
  const edit = ({ path }: ReadmeEdit, change: (text: string) => string) => {
    const text = edited.get(path);
    if (text === undefined) throw new Error(`The starter has no ${path}.`);
    edited.set(path, change(text));
  };
  edit(methodNames, (text) => addToMap(text, methodNames.blocks));
  edit(paymentStep, (text) => {
    const [imports = "", search = "", choice = ""] = paymentStep.blocks;
    return replaceChoice(replaceSearch(addImports(text, imports), search), choice.trim());
  });
  edit(payButton, (text) => {
    const [imports = "", switchCase = ""] = payButton.blocks;
    return addCase(addImports(text, imports), switchCase);
  });
  for (const { path, blocks } of newFiles) edited.set(path, blocks.join("\n"));
  return edited;
}

// "as the last entry of paymentInfoMap, and a function below the map"
function addToMap(text: string, [entry = "", below = ""]: readonly string[]): string {
  const from = text.indexOf("export const paymentInfoMap");
  const end = text.indexOf("\n}\n", from);
  if (from === -1 || end === -1) throw new Error("There is no paymentInfoMap.");
  return `${text.slice(0, end)}\n${entry}}\n\n${below}${text.slice(end + "\n}\n".length)}`;
}

// "replace the argument of find"
function replaceSearch(text: string, replacement: string): string {
  const search = /^ {2}const activeSession = [\s\S]*?\.find\([\s\S]*?\n {2}\)\n/m;
  if (!search.test(text)) throw new Error("There is no search for the active session.");
  return text.replace(search, replacement);
}

// "replace what initiatePaymentSession gets"
function replaceChoice(text: string, replacement: string): string {
  const call = /initiatePaymentSession\(cart, \{[\s\S]*?\}\)/;
  if (!call.test(text)) throw new Error("The payment step initiates no session.");
  return text.replace(call, replacement);
}

// "the first case in the switch of PaymentButton"
function addCase(text: string, code: string): string {
  if (!text.includes("  switch (true) {\n")) throw new Error("There is no switch.");
  return text.replace("  switch (true) {\n", (found) => found + code);
}

/** Adds one import for each line of the block. An import replaces the one from the same module. */
function addImports(text: string, block: string): string {
  let changed = text;
  for (const newImport of block.split("\n").filter(Boolean)) {
    const module = / from (".*")$/.exec(newImport)?.[1] ?? "";
    const existingImport = changed
      .split("\n")
      .find((line) => line.startsWith("import ") && line.endsWith(` from ${module}`));
    changed =
      existingImport === undefined
        ? changed.replace('"use client"\n', (found) => `${found}${newImport}\n`)
        : changed.replace(existingImport, newImport);
  }
  return changed;
}
