import { readdirSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type StoreAdapterRule, storeAdapterRules } from "@tillkit/testkit";
import { repository } from "./packages.ts";
import { type PlainPage, plainPage } from "./plain-page.ts";

const SITE = "packages/docs/site";
const GLOSSARY = "docs/glossary.md";
const HANDBOOK = "HANDBOOK.md";

/** What the author of an adapter reads, in this order. */
const CORE_SOURCES = [
  `${SITE}/quick-start/own-platform.md`,
  ...["writes", "two-ways", "holds", "refunds", "fencing"].map((name) => `${SITE}/concepts/${name}.md`),
  ...["pending", "refunds", "tell-only", "moving", "deployment", "going-live"].map(
    (name) => `${SITE}/guides/${name}.md`,
  ),
  HANDBOOK,
  GLOSSARY,
];

/** The packages that carry a folder `docs`, each with the files that it is made of. `tillkit mcp` searches all that a person can read. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  core: CORE_SOURCES,
  testkit: [],
  cli: [...new Set([...CORE_SOURCES, ...allPages("quick-start", "concepts", "guides"), "docs/options.md"])],
};

/** Descriptions of the files that have none in themselves. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  [HANDBOOK]: "Every error code, finding and alert: what it means, why it happens, what to do.",
  [GLOSSARY]: "The words of Tillkit.",
  "docs/options.md": "All options of the servers and plugins for Medusa, Vendure, WooCommerce and Shopify.",
};

export const packagesWithDocs: readonly string[] = Object.keys(SOURCES);

/** Writes the folder `docs` of a package anew. It is made from the repository's own pages and is not kept in git. */
export async function writePackageDocs(name: string): Promise<void> {
  const folder = join(repository, "packages", name, "docs");
  await rm(folder, { recursive: true, force: true });
  for (const [file, text] of packageDocs(name)) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** The pages of a package's folder `docs` by path, with an index of pages and headings in `index.md`. */
export function packageDocs(name: string): ReadonlyMap<string, string> {
  const sources = SOURCES[name] ?? [];
  const files = new Map(sources.map((source) => [source, fileOf(source)]));
  const pages = sources.map((source): [string, PlainPage] => {
    const page = plainPage(source, files);
    return [fileOf(source), { ...page, description: page.description || (DESCRIPTIONS[source] ?? "") }];
  });
  if (name === "testkit") pages.push(["rules.md", rulesPage()]);
  return new Map([["index.md", indexOf(name, pages)], ...pages.map(([file, { text }]) => [file, text] as const)]);
}

function fileOf(source: string): string {
  if (source === HANDBOOK) return "handbook.md";
  return source.replace(`${SITE}/`, "").replace(/^docs\//, "");
}

function allPages(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(repository, SITE, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${SITE}/${folder}/${name}`),
  );
}

function indexOf(name: string, pages: readonly (readonly [string, PlainPage])[]): string {
  const entries = pages.map(([file, { title, description, text }]) => {
    const headings = text.split("\n").flatMap((line, index) => {
      const heading = /^## (.+)$/.exec(line)?.[1];
      return heading === undefined ? [] : [`${index + 1} ${heading}`];
    });
    return `## [${title}](${file})\n\n${description} Lines: ${headings.join(" · ")}\n`;
  });
  return `# Documentation of @tillkit/${name}\n\nEach page with the lines at which its parts begin.\n\n${entries.join("\n")}`;
}

/** The rules that an adapter keeps, from the rules themselves. */
function rulesPage(): PlainPage {
  const title = "The rules of the adapter contract";
  const description =
    "Every rule that storeAdapterContract checks, what to do when it is violated, and the page that explains it.";
  const parts = [...new Set(storeAdapterRules.map(({ page }) => page))].map((page) => {
    const rows = storeAdapterRules.filter((rule) => rule.page === page).map(lineOf);
    return `## Explained in ${page}\n\n${rows.join("")}`;
  });
  return { title, description, text: `# ${title}\n\n${parts.join("\n")}` };
}

function lineOf({ title, needs, advice }: StoreAdapterRule): string {
  const condition = needs.length === 0 ? "" : ` (Only with ${needs.join(", ")}.)`;
  return `- **${title}**${condition} ${advice}\n`;
}
