import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { builtFolder } from "../../src/folders.ts";

/** The HTML of the built site's pages by path, such as `guides/refunds.html`. */
const pages: ReadonlyMap<string, string> = new Map(
  readdirSync(builtFolder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith(".html"))
    .map((file) => join(file.parentPath, file.name))
    .map((file) => [relative(builtFolder, file), readFileSync(file, "utf8")]),
);

const attributeValues = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, value = ""]) => value.replaceAll("&amp;", "&"));

/** One sentence about a link to a page or element that the built site does not have, or null. `ids`: the ids of elements by page. */
function linkProblem(ids: ReadonlyMap<string, ReadonlySet<string>>, page: string, href: string): string | null {
  if (/^(?:https?:|mailto:)/.test(href)) return null;
  const [path = "", anchor = ""] = href.split("#");
  const target = path === "" ? page : fileOf(posix.resolve("/", posix.dirname(page), path).slice(1));
  const elementIds = ids.get(target);
  if (elementIds === undefined) {
    return existsSync(join(builtFolder, target)) ? null : `${page}: ${href}: there is no such page.`;
  }
  return anchor === "" || elementIds.has(decodeURIComponent(anchor))
    ? null
    : `${page}: ${href}: there is no such element.`;
}

/** The file that is served for a path: `guides` → `guides/index.html`. The path of a file stays. */
const fileOf = (path: string) => (/\.[a-z]+$/.test(path) ? path : posix.join(path, "index.html"));

describe("the built site", () => {
  it("the site has the pages about errors, types and operations of the service", () => {
    expect(pages.size).toBeGreaterThan(60);
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining(["errors.html", "api/core/types.html", "service-api/operations.html"]),
    );
  });

  it("every link within the site leads to a page, and every anchor to an element of the page", () => {
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

  it("llms.txt names pages that exist as Markdown, beginning with the first page of the sidebar", () => {
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
