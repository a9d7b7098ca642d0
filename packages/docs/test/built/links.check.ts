import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { builtFolder } from "../../src/folders.ts";

/** The pages of the built site by path, as they are served: `guides/refunds.html`. */
const pages: ReadonlyMap<string, string> = new Map(
  readdirSync(builtFolder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith(".html"))
    .map((file) => join(file.parentPath, file.name))
    .map((file) => [relative(builtFolder, file), readFileSync(file, "utf8")]),
);

const attributeValues = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, value = ""]) => value.replaceAll("&amp;", "&"));

/** One sentence for a link to a page or an element that the built site does not have. `ids` are the elements' ids by page. */
function linkProblem(ids: ReadonlyMap<string, ReadonlySet<string>>, page: string, href: string): string | null {
  if (/^(?:https?:|mailto:)/.test(href)) return null;
  const [to = "", anchor = ""] = href.split("#");
  const target = to === "" ? page : fileOf(posix.resolve("/", posix.dirname(page), to).slice(1));
  const elements = ids.get(target);
  if (elements === undefined)
    return existsSync(join(builtFolder, target)) ? null : `${page}: ${href}: there is no such page.`;
  return anchor === "" || elements.has(decodeURIComponent(anchor))
    ? null
    : `${page}: ${href}: there is no such element.`;
}

/** `guides` → `guides/index.html`; a file keeps its name. */
const fileOf = (path: string) => (/\.[a-z]+$/.test(path) ? path : posix.join(path, "index.html"));

describe("the built site", () => {
  it("the site has every page that its sidebars name, and a page for the types of every public entry", () => {
    expect(pages.size).toBeGreaterThan(60);
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining(["errors.html", "api/core/types.html", "service-api/operations.html"]),
    );
  });

  it("every link within the site leads to a page, and every anchor to an element of it", () => {
    const ids = new Map([...pages].map(([path, html]) => [path, new Set(attributeValues(html, / id="([^"]+)"/g))]));
    const problems = [...pages].flatMap(([path, html]) =>
      attributeValues(html, /<a [^>]*href="([^"]+)"/g).map((href) => linkProblem(ids, path, href)),
    );
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });

  it("no page loads a script, a style, a font or a picture from another machine", () => {
    const loaded =
      /<(?:script|img|iframe|source)[^>]* src="([^"]+)"|<link (?![^>]*rel="(?:canonical|alternate)")[^>]*href="([^"]+)"/g;
    const remote = [...pages].flatMap(([path, html]) =>
      [...html.matchAll(loaded)].flatMap(([, src, href]) =>
        /^(?:https?:)?\/\//.test(src ?? href ?? "") ? [`${path}: ${src ?? href}`] : [],
      ),
    );
    expect(remote).toEqual([]);
    const styles = readdirSync(join(builtFolder, "assets")).filter((name) => name.endsWith(".css"));
    for (const name of styles)
      expect(readFileSync(join(builtFolder, "assets", name), "utf8")).not.toMatch(/url\(["']?(?:https?:)?\/\//);
  });

  it("llms.txt names the pages in the order of the sidebar, and each of them exists as Markdown", () => {
    const text = readFileSync(join(builtFolder, "llms.txt"), "utf8");
    expect(text).toMatch(/^# Tillkit\n/);
    const links = attributeValues(text, /\]\((http[^)]+)\)/g).map((address) => new URL(address).pathname);
    expect(links.length).toBeGreaterThan(30);
    expect(links[0]).toBe("/quick-start/own-platform.md");
    expect(links.filter((path) => !existsSync(join(builtFolder, path)))).toEqual([]);
    const whole = readFileSync(join(builtFolder, "llms-full.txt"), "utf8");
    expect(whole).toContain("createCheckoutServer");
    expect(whole).not.toMatch(/^<<< /m);
  });
});
