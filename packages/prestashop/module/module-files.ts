import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { filesWithBridge, type PluginFile } from "../../php-bridge/zip/plugin-zip.ts";

const moduleFolder = fileURLToPath(new URL("./tillkit", import.meta.url));

/** The files that an owner uploads: the module with the bridge, what the marketplace asks of each folder and file, and the French of both. */
export function moduleFiles(): readonly PluginFile[] {
  const sources = filesWithBridge(moduleFolder, "tillkit");
  const shown = sources.filter(({ path }) => !path.endsWith(".po")).map(withLicence);
  const french = sources.filter(({ path }) => path.endsWith(".po")).map(({ bytes }) => bytes.toString("utf8"));
  const files = [...shown, { path: FRENCH_FILE, bytes: Buffer.from(toXliff(readPairs(french.join("\n")))) }];
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)));
  return [...files, ...[...folders].map((folder) => ({ path: `${folder}/index.php`, bytes: Buffer.from(INDEX) }))];
}

/** PrestaShop reads the domain and the language from the name of the file. */
const FRENCH_FILE = "tillkit/translations/fr-FR/ModulesTillkitAdmin.fr-FR.xlf";

/** A folder that a web server would list leads to the one above. */
const INDEX = `<?php
header('Expires: Mon, 26 Jul 1997 05:00:00 GMT');
header('Cache-Control: no-store, no-cache, must-revalidate');
header('Location: ../');
exit;
`;

const LICENCE = `
 * Tillkit for PrestaShop
 *
 * @author    Tillkit
 * @copyright Tillkit
 * @license   https://opensource.org/licenses/MIT MIT
 `;

/** The marketplace wants a licence at the top of every file. */
function withLicence(file: PluginFile): PluginFile {
  const text = file.bytes.toString("utf8");
  const extension = file.path.slice(file.path.lastIndexOf(".") + 1);
  const marked: Readonly<Record<string, string>> = {
    php: text.replace("<?php\n", `<?php\n/**${LICENCE}*/\n\n`),
    js: `/**${LICENCE}*/\n${text}`,
    css: `/**${LICENCE}*/\n${text}`,
    tpl: `{**${LICENCE}*}\n${text}`,
  };
  const withMark = marked[extension];
  return withMark === undefined ? file : { path: file.path, bytes: Buffer.from(withMark) };
}

function foldersOf(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
}

/** @throws Error for a text that is translated twice: one of the two would be lost */
export function readPairs(po: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const [, original = "", translated = ""] of po.matchAll(/^msgid (".+")\nmsgstr (".+")$/gm)) {
    const text: string = JSON.parse(original);
    if (pairs.has(text)) throw new Error(`The translations repeat a text: ${text}`);
    pairs.set(text, JSON.parse(translated));
  }
  return pairs;
}

function toXliff(pairs: ReadonlyMap<string, string>): string {
  const units = [...pairs].map(([source, target]) => {
    const id = createHash("md5").update(source).digest("hex");
    return `      <trans-unit id="${id}"><source>${escapeXml(source)}</source><target>${escapeXml(target)}</target></trans-unit>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
  <file original="tillkit" source-language="en-US" target-language="fr-FR" datatype="plaintext">
    <body>
${units.join("\n")}
    </body>
  </file>
</xliff>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
