import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const SOURCE = join(import.meta.dirname, "../../extensions/tillkit-pay-link");
const MODULES = join(import.meta.dirname, "../../node_modules");

export type ExtensionBundle = {
  /** The folder with the toml file, which names the bundled modules. */
  readonly folder: string;
  /** Bytes of one module as it is deployed. */
  bytesOf(module: "thank-you" | "order-status"): number;
  remove(): void;
};

/** Bundles and minifies each module of the extension, as Shopify CLI does before it deploys the extension. */
export function bundleExtension(): ExtensionBundle {
  const folder = mkdtempSync(join(tmpdir(), "tillkit-extension-"));
  cpSync(SOURCE, folder, { recursive: true });
  symlinkSync(MODULES, join(folder, "node_modules"));
  const esbuild = join(dirname(createRequire(import.meta.filename).resolve("esbuild/package.json")), "bin/esbuild");
  const bundle = (name: string) => join(folder, "src", `${name}.mjs`);
  for (const name of ["thank-you", "order-status"]) {
    const options = ["--bundle", "--minify", "--format=esm", "--jsx=automatic", "--jsx-import-source=preact"];
    execFileSync(
      process.execPath,
      [esbuild, join(folder, "src", `${name}.tsx`), ...options, `--outfile=${bundle(name)}`],
      {
        stdio: "pipe",
      },
    );
  }
  const toml = join(folder, "shopify.extension.toml");
  writeFileSync(toml, readFileSync(toml, "utf8").replaceAll(".tsx", ".mjs"));
  return {
    folder,
    bytesOf: (name) => statSync(bundle(name)).size,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The texts of a language, as Shopify resolves them. */
export function textsOf(locale: "en.default" | "fr"): (key: string) => string {
  const texts = JSON.parse(readFileSync(join(SOURCE, "locales", `${locale}.json`), "utf8")) as Record<string, string>;
  return (key) => texts[key] ?? "";
}

type PageElement = { getAttribute(name: string): string | null; readonly textContent: string | null };
type PageBody = PageElement & { querySelector(selector: string): PageElement | null };
type PageDocument = { body: PageBody; createElement(name: "body"): PageBody };

// The tests are compiled without the browser's types, which would hide a wrong global in the programs of this repository.
const pageDocument = () => (globalThis as unknown as { readonly document: PageDocument }).document;

/** The body of the page into which the extension renders. */
export const pageBody = () => pageDocument().body;

/** Each test begins with an empty page. */
export function emptyPage(): void {
  pageDocument().body = pageDocument().createElement("body");
}
