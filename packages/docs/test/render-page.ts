import { createMarkdownRenderer, type MarkdownRenderer } from "vitepress";
import { siteFolder } from "../src/folders.ts";

export type RenderedPage = { readonly anchors: ReadonlySet<string>; readonly links: readonly string[] };

/** Renders pages with the same anchors and links as the site, but without colours. */
export async function openRenderer(): Promise<(page: string, text: string) => RenderedPage> {
  const renderer: MarkdownRenderer = await createMarkdownRenderer(siteFolder, {
    highlight: (code) => `<pre>${code.length}</pre>`,
  });
  return (page, text) => {
    const prose = text.replace(/^---\n[\s\S]*?\n---\n/, "").replace(/^<<< .*$/gm, "");
    const html = renderer.render(prose, { path: `${siteFolder}${page}`, relativePath: page, cleanUrls: true });
    return {
      anchors: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)),
      links: [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&")),
    };
  };
}
