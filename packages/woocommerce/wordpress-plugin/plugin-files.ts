import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { compileTranslations, readTranslations } from "./compile-translations.ts";
import type { ZipFile } from "./zip.ts";

export const pluginFolder = fileURLToPath(new URL("tillkit-checkout", import.meta.url));

/** The files of the zip: the plugin, and for each .po file the .mo file that WordPress reads. */
export function pluginFiles(): readonly ZipFile[] {
  const entries = readdirSync(pluginFolder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      const path = `tillkit-checkout${file.slice(pluginFolder.length).replaceAll(sep, "/")}`;
      return { path, bytes: readFileSync(file) };
    });
  return [...files, ...files.filter(({ path }) => path.endsWith(".po")).map(toMoFile)];
}

function toMoFile({ path, bytes }: { readonly path: string; readonly bytes: Buffer }): ZipFile {
  return { path: path.replace(/\.po$/, ".mo"), bytes: compileTranslations(readTranslations(bytes.toString("utf8"))) };
}
