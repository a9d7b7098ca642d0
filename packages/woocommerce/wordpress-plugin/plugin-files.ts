import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { compileWords, readWords } from "./compile-words.ts";
import type { ZipFile } from "./zip.ts";

export const pluginFolder = fileURLToPath(new URL("tillkit-checkout", import.meta.url));

/** What an owner uploads: the plugin as it stands, and beside each .po file the .mo file that WordPress reads. */
export function pluginFiles(): readonly ZipFile[] {
  const entries = readdirSync(pluginFolder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      const path = `tillkit-checkout${file.slice(pluginFolder.length).replaceAll(sep, "/")}`;
      return { path, bytes: readFileSync(file) };
    });
  return [...files, ...files.filter(({ path }) => path.endsWith(".po")).map(compiled)];
}

function compiled({ path, bytes }: { readonly path: string; readonly bytes: Buffer }): ZipFile {
  return { path: path.replace(/\.po$/, ".mo"), bytes: compileWords(readWords(bytes.toString("utf8"))) };
}
