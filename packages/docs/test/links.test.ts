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

/** The addresses of the pages about types. Only the build writes these pages, so their anchors cannot be checked here. */
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

/** One sentence about a link to a page or heading that does not exist, or null. */
function problemOf(page: string, link: string): string | null {
  if (/^(?:https?:|mailto:)/.test(link)) return null;
  const [path = "", anchor = ""] = link.split("#");
  // `resolve` removes a slash at the end, which means the index page of a folder.
  const address = posix.resolve("/", posix.dirname(page), path) + (path.endsWith("/") ? "/" : "");
  const target = path === "" ? page : pageFile(address);
  if (typesPages.has(target)) return null;
  const targetPage = rendered.get(target);
  if (targetPage === undefined) return `${page} links to ${link}, and there is no such page.`;
  return anchor === "" || targetPage.anchors.has(decodeURIComponent(anchor))
    ? null
    : `${page} links to ${link}, and that page has no such heading.`;
}

describe("links of the documentation", () => {
  it("every link leads to a page that exists, and its anchor to a heading of the page", () => {
    const links = [...rendered].flatMap(([page, { links: all }]) => all.map((link) => ({ page, link })));
    expect(links.length).toBeGreaterThan(100);
    expect(links.map(({ page, link }) => problemOf(page, link)).filter((problem) => problem !== null)).toEqual([]);
  });

  it("a link to a page or a heading that does not exist is detected", () => {
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
    // Another page lists the details of the service's API.
    const listedElsewhere = /^service-api\/(?!index)/;
    const existing = [...pages.keys()].filter((page) => isOwn(page) && !home.has(page) && !listedElsewhere.test(page));
    expect([...listed].sort()).toEqual(existing.sort());
  });
});
