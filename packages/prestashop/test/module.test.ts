import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { zip } from "../../php-bridge/zip/plugin-zip.ts";
import { moduleFiles, readPairs } from "../module/module-files.ts";

const hasPhp = spawnSync("php", ["--version"]).status === 0;
const folder = fileURLToPath(new URL("../module", import.meta.url));

type Result = { readonly title: string; readonly problem: string | null };

const results: readonly Result[] = hasPhp
  ? execFileSync("php", [join(folder, "test/run.php")], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];

describe.skipIf(!hasPhp)(`the module of PrestaShop${hasPhp ? "" : " (skipped: no php on this machine)"}`, () => {
  it("the PHP tests of the module run", () => {
    expect(results.length).toBeGreaterThan(40);
  });

  it.each(results.map(({ title, problem }) => [title, problem]))("%s", (_, problem) => {
    expect(problem).toBeNull();
  });
});

describe("the zip of the module", () => {
  const files = moduleFiles();
  const paths = files.map(({ path }) => path);
  const textOf = new Map(files.map(({ path, bytes }) => [path, bytes.toString("utf8")]));
  const programs = [...textOf].filter(([path]) => path.endsWith(".php") && !path.endsWith("/index.php"));

  it("the zip is the same however often it is built, and has one folder with the main file of its name", () => {
    expect(Buffer.compare(zip(files), zip([...files].reverse()))).toBe(0);
    expect(paths.filter((path) => !path.startsWith("tillkit/"))).toEqual([]);
    expect(paths).toContain("tillkit/tillkit.php");
    expect(new Set(paths).size).toBe(paths.length);
  });

  it("a program that changed has another time, by which PHP notices that it must be read again", () => {
    const timeIn = (bytes: string) =>
      Buffer.from(zip([{ path: "tillkit/a.php", bytes: Buffer.from(bytes) }])).readUInt32LE(10);
    const times = Array.from({ length: 200 }, (_, version) => timeIn(`<?php // ${version}`));
    expect(new Set(times).size).toBe(200);
    expect(timeIn("<?php // 7")).toBe(times[7]);
  });

  it("the zip has the logo that the list of modules shows, byte for byte and 57 pixels wide", () => {
    const logo = files.find(({ path }) => path === "tillkit/logo.png")?.bytes ?? Buffer.of();
    expect(logo.equals(readFileSync(join(folder, "tillkit/logo.png")))).toBe(true);
    expect([logo.subarray(1, 4).toString(), logo.readUInt32BE(16), logo.readUInt32BE(20)]).toEqual(["PNG", 57, 57]);
  });

  it("every folder of the zip has a file that lists nothing", () => {
    const folders = new Set(paths.flatMap(foldersOf));
    expect([...folders].filter((folder) => !paths.includes(`${folder}/index.php`))).toEqual([]);
  });

  it("every program of the zip has its licence, and does nothing when it is requested directly", () => {
    expect(programs.length).toBeGreaterThan(50);
    expect(programs.filter(([, text]) => !text.includes("@license   https://")).map(([path]) => path)).toEqual([]);
    const guard = /^defined\( '(?:ABSPATH' \) \|\| defined\( ')?_PS_VERSION_' \) \|\| exit;$/m;
    expect(programs.filter(([, text]) => !guard.test(text)).map(([path]) => path)).toEqual([]);
  });

  it("no program of the zip evaluates text, runs programs, loads a library or changes the shop's own tables by name", () => {
    const forbidden =
      /\b(?:eval|exec|shell_exec|system|passthru|proc_open|unserialize|base64_decode)\s*\(|vendor\/autoload/;
    expect(programs.filter(([, text]) => forbidden.test(text)).map(([path]) => path)).toEqual([]);
    expect(paths.filter((path) => /composer|node_modules|\.map$|\.po$/.test(path))).toEqual([]);
    const created = programs.flatMap(([, text]) =>
      [...text.matchAll(/(?:CREATE|ALTER|DROP) TABLE[^;]*/g)].map(([statement]) => statement),
    );
    expect(created).toHaveLength(1);
  });

  it("every module class is named as PrestaShop looks it up, and says which versions it is for", () => {
    expect(textOf.get("tillkit/tillkit.php")).toMatch(/^class Tillkit extends PaymentModule \{$/m);
    expect(textOf.get("tillkit/tillkit.php")).toContain("array( 'min' => '8.1.0', 'max' => '9.99.99' )");
    for (const name of ["call", "pay", "return", "status"])
      expect(textOf.get(`tillkit/controllers/front/${name}.php`)).toContain(
        `class Tillkit${name[0]?.toUpperCase()}${name.slice(1)}ModuleFrontController extends ModuleFrontController`,
      );
    expect(textOf.get("tillkit/controllers/admin/AdminTillkitController.php")).toContain(
      "class AdminTillkitController",
    );
  });

  it("the zip has the French of all texts, and none that nobody shows", () => {
    const read = (file: string) => readFileSync(join(folder, file), "utf8");
    const ofModule = readPairs(read("tillkit/languages/fr.po"));
    const french = readPairs(`${read("tillkit/languages/fr.po")}\n${read("../../php-bridge/php/languages/fr.po")}`);
    const own = programs.filter(([path]) => !path.startsWith("tillkit/bridge/"));
    const textsIn = (some: typeof programs) =>
      new Set(
        some.flatMap(([, text]) =>
          [...text.matchAll(/\btillkit_text\( '([^']+)' \)/g)].map(([, found]) => found ?? ""),
        ),
      );
    expect([...textsIn(programs)].filter((text) => !french.has(text))).toEqual([]);
    expect([...ofModule.keys()].filter((text) => !textsIn(own).has(text))).toEqual([]);
    const xliff = textOf.get("tillkit/translations/fr-FR/ModulesTillkitAdmin.fr-FR.xlf") ?? "";
    expect(xliff.match(/<trans-unit /g)).toHaveLength(french.size);
    expect(xliff).not.toMatch(/&(?!amp;|lt;|gt;)/);
  });

  it("each language has the e-mail to the owner as HTML and as text, with the same fields", () => {
    const fields = (path: string) =>
      [...(textOf.get(path)?.matchAll(/\{tillkit_\w+\}/g) ?? [])].map(([field]) => field);
    for (const language of ["en", "fr"])
      for (const kind of ["html", "txt"])
        expect(fields(`tillkit/mails/${language}/tillkit_decision.${kind}`)).toEqual([
          "{tillkit_order}",
          "{tillkit_reasons}",
        ]);
  });
});

function foldersOf(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
}
