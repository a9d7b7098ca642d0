import { posix } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { englishSidebar, frenchSidebar } from "../site/.vitepress/sidebar.ts";
import { typesPageOf } from "../src/generated-pages.ts";
import { readPackages } from "../src/packages.ts";
import { withIncludes } from "./inclusions.ts";
import { allPages, type Pages, pageFile } from "./read-site.ts";
import { openRenderer, type RenderedPage } from "./render-page.ts";

let pages: Pages;
let rendered: ReadonlyMap<string, RenderedPage>;

/** The pages about types are made by the build only: here they have an address and no anchors that could be checked. */
const typesPages = new Set(
  readPackages().flatMap(({ folder, entries }) =>
    entries.map(({ specifier }) => `api/${folder}/${typesPageOf(folder, specifier)}.md`),
  ),
);

beforeAll(async () => {
  pages = await allPages();
  const render = await openRenderer();
  rendered = new Map([...pages].map(([page, text]) => [page, render(page, withIncludes(page, text))]));
});

/** Null for a link that leads to something that exists. */
function problemOf(page: string, link: string): string | null {
  if (/^(?:https?:|mailto:)/.test(link)) return null;
  const [path = "", anchor = ""] = link.split("#");
  const target =
    path === "" ? page : pageFile(posix.resolve("/", posix.dirname(page), path) + (path.endsWith("/") ? "/" : ""));
  if (typesPages.has(target)) return null;
  const found = rendered.get(target);
  if (found === undefined) return `${page} links to ${link}, and there is no such page.`;
  return anchor === "" || found.anchors.has(decodeURIComponent(anchor))
    ? null
    : `${page} links to ${link}, and that page has no such heading.`;
}

describe("links of the documentation", () => {
  it("every link leads to a page that exists, and to a heading of it", () => {
    const links = [...rendered].flatMap(([page, { links: all }]) => all.map((link) => ({ page, link })));
    expect(links.length).toBeGreaterThan(100);
    expect(links.map(({ page, link }) => problemOf(page, link)).filter((problem) => problem !== null)).toEqual([]);
  });

  it("a link to a page or a heading that does not exist is found", () => {
    expect(problemOf("index.md", "/quick-start/nowhere")).toMatch(/no such page/);
    expect(problemOf("index.md", "/errors#nothing-of-this-name")).toMatch(/no such heading/);
    expect(problemOf("concepts/writes.md", "./holds")).toBeNull();
  });

  it.each([
    ["English", englishSidebar, (page: string) => !page.startsWith("fr/")],
    ["French", frenchSidebar, (page: string) => page.startsWith("fr/")],
  ])("every page in %s is in the sidebar, and every line of the sidebar is a page", (_, sidebar, isOwn) => {
    const listed = sidebar.flatMap(({ items }) => items.map(({ link }) => pageFile(link)));
    const home = new Set(["index.md", "fr/index.md"]);
    // Packages that are run and the details of the service's API are reached from the pages that list them.
    const listedElsewhere = /^(?:api\/(?:cli|create-tillkit|sandbox|sql)\/|service-api\/(?!index))/;
    const existing = [...pages.keys()].filter((page) => isOwn(page) && !home.has(page) && !listedElsewhere.test(page));
    expect([...listed].sort()).toEqual(existing.sort());
  });
});
