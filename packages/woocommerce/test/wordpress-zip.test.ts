import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { zip } from "../../php-bridge/zip/plugin-zip.ts";
import { compileTranslations, readTranslations } from "../wordpress-plugin/compile-translations.ts";
import { pluginFiles } from "../wordpress-plugin/plugin-files.ts";

const hasUnzip = spawnSync("unzip", ["-v"]).status === 0;
const skipNote = hasUnzip ? "" : " (skipped: no unzip on this machine)";

describe("plugin zip", () => {
  const folder = mkdtempSync(join(tmpdir(), "tillkit-zip-"));
  const files = pluginFiles();

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.skipIf(!hasUnzip)(`the plugin zip unpacks to the plugin's files, byte for byte${skipNote}`, () => {
    const archive = join(folder, "plugin.zip");
    writeFileSync(archive, zip(files));
    const unpacked = spawnSync("unzip", ["-q", archive, "-d", folder]);
    expect(unpacked.stderr.toString()).toBe("");
    expect(unpacked.status).toBe(0);
    for (const { path, bytes } of files) expect(readFileSync(join(folder, path)).equals(bytes), path).toBe(true);
    const names = readdirSync(join(folder, "tillkit-checkout"), { recursive: true, withFileTypes: true });
    expect(names.filter((entry) => entry.isFile())).toHaveLength(files.length);
  });

  it("the plugin zip does not depend on the sequence of its files", () => {
    expect(Buffer.compare(zip(files), zip([...files].reverse()))).toBe(0);
  });

  it("the plugin zip has one folder with main file, translations and readme", () => {
    const paths = files.map(({ path }) => path);
    expect(paths.every((path) => path.startsWith("tillkit-checkout/"))).toBe(true);
    expect(paths).toContain("tillkit-checkout/tillkit-checkout.php");
    expect(paths).toContain("tillkit-checkout/readme.txt");
    expect(paths).toContain("tillkit-checkout/languages/tillkit-checkout-fr_FR.mo");
  });

  it("the plugin in the zip has the version of the package", () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    const main = files.find(({ path }) => path.endsWith("/tillkit-checkout.php"));
    expect(Buffer.from(main?.bytes ?? []).toString()).toContain(` * Version: ${version}\n`);
  });
});

describe("translation files", () => {
  const po =
    'msgid ""\nmsgstr "Language: fr_FR\\n"\n\n# a remark\nmsgid "Pay \\"now\\""\nmsgstr "Payer « là »"\n\nmsgid "Card"\nmsgstr "Carte"\n';

  it("the .mo file contains the translations of the .po file in sorted order", () => {
    const translations = readTranslations(po);
    expect(readMo(compileTranslations(translations))).toEqual([
      ["", "Language: fr_FR\n"],
      ["Card", "Carte"],
      ['Pay "now"', "Payer « là »"],
    ]);
  });

  it("the .mo file names the end of its tables as the place of the hashes, which WordPress before 6.5 requires", () => {
    const bytes = Buffer.from(compileTranslations(readTranslations(po)));
    const textCount = bytes.readUInt32LE(8);
    const translationsAt = bytes.readUInt32LE(16);
    const hashesAt = bytes.readUInt32LE(24);
    expect(hashesAt - translationsAt).toBe(textCount * 8);
  });

  it("a .po file with an unknown line or a repeated text is rejected", () => {
    expect(() => readTranslations(`${po}msgid_plural "Cards"`)).toThrow("Line 10 of the translations is neither");
    expect(() => readTranslations(`${po}msgid "Card"\nmsgstr "Carte"`)).toThrow(
      "Line 11 of the translations repeats a text.",
    );
  });
});

/** Reads a .mo file by its specification, independently of the compiler. */
function readMo(bytes: Uint8Array): (readonly [string, string])[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const uint32 = (offset: number) => view.getUint32(offset, true);
  expect(uint32(0)).toBe(0x950412de);
  const text = (table: number, index: number) => {
    const length = uint32(table + 8 * index);
    const offset = uint32(table + 8 * index + 4);
    expect(bytes[offset + length]).toBe(0);
    return Buffer.from(bytes.subarray(offset, offset + length)).toString("utf8");
  };
  return Array.from({ length: uint32(8) }, (_, index) => [text(uint32(12), index), text(uint32(16), index)] as const);
}
