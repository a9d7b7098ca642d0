import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bridgeFolder, filesWithBridge, type PluginFile } from "../../php-bridge/zip/plugin-zip.ts";
import { compileTranslations, readTranslations } from "./compile-translations.ts";

const pluginFolder = fileURLToPath(new URL("tillkit-checkout", import.meta.url));

/** Where a file of the installed plugin is in the repository. */
export function pluginFile(path: string): string {
  return path.startsWith("bridge/") ? join(bridgeFolder, path.slice("bridge/".length)) : join(pluginFolder, path);
}

const BRIDGE_TEXTS = "tillkit-checkout/bridge/languages/fr.po";

/** The files of the zip: the plugin with the bridge, and the .mo file that WordPress reads for each .po file. */
export function pluginFiles(): readonly PluginFile[] {
  const files = filesWithBridge(pluginFolder, "tillkit-checkout");
  const bridgeTexts = files.find(({ path }) => path === BRIDGE_TEXTS);
  const withBridgeTexts = files
    .filter((file) => file !== bridgeTexts)
    .map(({ path, bytes }) =>
      path.endsWith(".po")
        ? { path, bytes: Buffer.concat([bytes, Buffer.from("\n"), bridgeTexts?.bytes ?? Buffer.of()]) }
        : { path, bytes },
    );
  return [...withBridgeTexts, ...withBridgeTexts.filter(({ path }) => path.endsWith(".po")).map(toMoFile)];
}

function toMoFile({ path, bytes }: PluginFile): PluginFile {
  const compiled = compileTranslations(readTranslations(bytes.toString("utf8")));
  return { path: path.replace(/\.po$/, ".mo"), bytes: Buffer.from(compiled) };
}
