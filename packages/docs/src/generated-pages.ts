import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "@tillkit/sandbox";
import { changelogPage } from "./changelog.ts";
import { repository } from "./folders.ts";
import type { OpenApiDocument } from "./openapi.ts";
import { type Package, readPackages } from "./packages.ts";
import { serviceReference } from "./service-reference.ts";
import { withSiteLinks } from "./site-links.ts";

/** The pages that are generated from files of the repository, by path in the site. Does not include the pages about types. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const packages = readPackages();
  return new Map([
    ["errors.md", withSiteLinks(withAnchors(read("HANDBOOK.md")), "")],
    ["glossary.md", withSiteLinks(read("docs/glossary.md"), "docs")],
    ["options.md", `---\naside: false\n---\n\n${withSiteLinks(read("docs/options.md"), "docs")}`],
    ["measurements.md", withSiteLinks(read("docs/measurements.md"), "docs")],
    ["changelog.md", withSiteLinks(changelogPage(changeFiles(), changelogs(packages)), "")],
    ["service-api/index.md", serviceRules()],
    ...serviceReference(await readOpenApi()),
    ["api/index.md", packagesPage(packages)],
    ...packages.map((pkg): [string, string] => [`api/${pkg.folder}/index.md`, packagePage(pkg)]),
  ]);
}

/**
 * The name of the page about the types of an entry: `@tillkit/client/webhooks/web` → `types-webhooks-web`. Null for an entry without
 * such a page: a command, or the schemas of the service's API, which another page shows.
 */
export function typesPageOf(folder: string, specifier: string): string | null {
  if (!hasTypesPages(folder) || specifier === "@tillkit/client/schemas") return null;
  return ["types", ...specifier.replace("@tillkit/", "").split("/").slice(1)].join("-");
}

/** Gives every code of the handbook an anchor, so that a link can lead to the code's row: `/errors#refund_in_doubt`. */
function withAnchors(handbook: string): string {
  const anchoredCodes = new Set<string>();
  return handbook.replace(/^\| `([a-z_]+)`/gm, (cell, code: string) => {
    if (anchoredCodes.has(code)) return cell;
    anchoredCodes.add(code);
    return `| <a id="${code}"></a>\`${code}\``;
  });
}

function packagesPage(packages: readonly Package[]): string {
  const rows = packages.map(({ folder, name, description }) => `| [\`${name}\`](/api/${folder}/) | ${description} |`);
  return `# Packages\n\n| package | what it is |\n|---|---|\n${rows.join("\n")}\n`;
}

function packagePage({ folder, entries }: Package): string {
  const readme = withSiteLinks(
    read(`packages/${folder}/README.md`),
    `packages/${folder}`,
    `../../../../../packages/${folder}`,
  );
  const links = entries.map(({ specifier }) => {
    const page = typesPageOf(folder, specifier);
    return `- [\`${specifier}\`](${page === null ? "/service-api/schemas" : `/api/${folder}/${page}`})`;
  });
  const types = hasTypesPages(folder) ? `\n## Types\n\n${links.join("\n")}\n` : "";
  return `---\noutline: 2\n---\n\n${readme.trimEnd()}\n${types}`;
}

/** Whether the package has pages about types. The packages without them are run as programs or used only by our packages. */
function hasTypesPages(folder: string): boolean {
  return !["cli", "create-tillkit", "sandbox", "sql"].includes(folder);
}

function serviceRules(): string {
  const links =
    "[Operations](/service-api/operations) · [Webhook events](/service-api/events) · [Schemas](/service-api/schemas)";
  return withSiteLinks(read("packages/client/API.md"), "packages/client").replace(
    /^# .*\n/,
    (title) => `${title}\n${links}\n`,
  );
}

/** The OpenAPI document that a sandbox serves. */
async function readOpenApi(): Promise<OpenApiDocument> {
  const sandbox = await createSandbox();
  try {
    const answer = await fetch(`${sandbox.baseUrl}/openapi.json`);
    return (await answer.json()) as OpenApiDocument;
  } finally {
    await sandbox.close();
  }
}

function changeFiles(): readonly string[] {
  const folder = join(repository, ".changeset");
  const names = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  return names.sort().map((name) => readFileSync(join(folder, name), "utf8"));
}

function changelogs(packages: readonly Package[]): readonly string[] {
  const files = packages.map(({ folder }) => join(repository, "packages", folder, "CHANGELOG.md"));
  return files.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8"));
}

function read(path: string): string {
  return readFileSync(join(repository, path), "utf8");
}
