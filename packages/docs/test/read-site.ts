import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { siteFolder } from "../src/folders.ts";
import { generatedPages } from "../src/generated-pages.ts";

/** Pages by path in the site: `guides/refunds.md`. */
export type Pages = ReadonlyMap<string, string>;

const isGenerated = (path: string) =>
  /^(?:api|service-api)\//.test(path) ||
  ["errors.md", "glossary.md", "measurements.md", "options.md", "changelog.md"].includes(path);

/** The pages that people write, as they are in the repository. */
export function writtenPages(): Pages {
  const files = readdirSync(siteFolder, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile() && file.name.endsWith(".md") && !file.parentPath.includes(".vitepress"))
    .map((file) => relative(siteFolder, join(file.parentPath, file.name)))
    .filter((path) => !isGenerated(path));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(siteFolder, path), "utf8")]));
}

/** All pages except the pages about types. The generated pages are generated now, not read from an earlier build. */
export async function allPages(): Promise<Pages> {
  return new Map([...writtenPages(), ...(await generatedPages())]);
}

/** The file of the page with this address: `/guides/refunds` → `guides/refunds.md`, `/api/` → `api/index.md`. */
export function pageFile(address: string): string {
  const path = address.replace(/^\//, "").replace(/\.html$/, "");
  return path === "" || path.endsWith("/") ? `${path}index.md` : `${path}.md`;
}

/** A block of code that is written on a page itself, not included from a file. `line`: the line of the block's first fence. */
export type TypedBlock = { readonly language: string; readonly code: string; readonly line: number };

export function typedBlocks(text: string): readonly TypedBlock[] {
  return [...text.matchAll(/^( *)```([a-z]*)[^\n]*\n([\s\S]*?)^\1```$/gm)].map(
    ({ 1: indent = "", 2: language = "", 3: code = "", index }) => ({
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      line: text.slice(0, index).split("\n").length,
    }),
  );
}
