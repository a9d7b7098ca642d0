import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type Zippable, zipSync } from "fflate";

export type PluginFile = {
  /** Path inside the zip, with slashes. */
  readonly path: string;
  readonly bytes: Buffer;
};

/** The part of a plugin that plugins of other platforms have too. */
export const bridgeFolder = fileURLToPath(new URL("../php", import.meta.url));

/** The files of a plugin, in a folder of that name, with the bridge as a folder of the plugin. */
export function filesWithBridge(pluginFolder: string, name: string): readonly PluginFile[] {
  return [...filesIn(pluginFolder, name), ...filesIn(bridgeFolder, `${name}/bridge`)];
}

function filesIn(folder: string, pathInZip: string): readonly PluginFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return { path: `${pathInZip}${file.slice(folder.length).replaceAll(sep, "/")}`, bytes: readFileSync(file) };
    });
}

const UNIX = 3;
const READABLE_FILE = 0o100644 * 0x10000;

/**
 * Builds a reproducible ZIP archive: its files are sorted by path, have times made of their bytes and the same permissions, and are not
 * compressed, because versions of compressors differ.
 */
export function zip(files: readonly PluginFile[]): Uint8Array {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const entries: Zippable = {};
  for (const { path, bytes } of sorted) entries[path] = [new Uint8Array(bytes), { mtime: timeOf(bytes) }];
  return zipSync(entries, { level: 0, os: UNIX, attrs: READABLE_FILE });
}

/**
 * PHP keeps a program in memory until its file has another time, and shops write the time that the archive says. A ZIP stores local time
 * in steps of two seconds, so this is one in local time, in a month in which no clock is changed.
 */
function timeOf(bytes: Buffer): Date {
  const hash = createHash("sha256").update(bytes).digest();
  return new Date(1980 + (hash.readUInt8(4) % 40), 0, 1, 0, 0, 2 * (hash.readUInt32LE(0) % TIMES_OF_A_MONTH));
}

/** 28 days in steps of two seconds. */
const TIMES_OF_A_MONTH = 28 * 24 * 60 * 30;
