import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { repository } from "./packages.ts";
import { outsideCode } from "./published-readme.ts";

/** A page of Markdown that needs no site: what it includes stands in it, and its links lead to pages beside it. */
export type PlainPage = { readonly title: string; readonly description: string; readonly text: string };

/** The pages that are packed together: where each comes from in the repository → its file, such as `concepts/writes.md`. */
export type PageFiles = ReadonlyMap<string, string>;

const SITE = "packages/docs/site";

/** Pages of the site that show files of the repository. */
const SITE_PAGES: Readonly<Record<string, string>> = {
  errors: "HANDBOOK.md",
  glossary: "docs/glossary.md",
  options: "docs/options.md",
  measurements: "docs/measurements.md",
};

/** @param source a page of the site or another file of Markdown, by its path in the repository */
export function plainPage(source: string, files: PageFiles): PlainPage {
  const page = readFileSync(join(repository, source), "utf8");
  const [, matter = "", body = page] = /^---\n([\s\S]*?)\n---\n+([\s\S]*)$/.exec(page) ?? [];
  const text = withInclusions(withPlainLinks(body, source, files), source).replace(/\n{3,}/g, "\n\n");
  return {
    title: /^# (.+)$/m.exec(text)?.[1] ?? source,
    description: /^description: (.+)$/m.exec(matter)?.[1] ?? "",
    text: `${text.trim()}\n`,
  };
}

/** A link to a page that is packed too leads to its file; one to the page of a package names its README; any other becomes text. */
function withPlainLinks(text: string, source: string, files: PageFiles): string {
  return outsideCode(text, (prose) =>
    prose.replace(
      /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g,
      (link, image: string, label: string, to: string) => {
        if (image !== "") return `(Picture: ${label}.)`;
        if (/^(?:https?:|mailto:|#)/.test(to)) return link;
        return plainLink(label, to, source, files);
      },
    ),
  );
}

function plainLink(label: string, to: string, source: string, files: PageFiles): string {
  const [path = "", ...anchor] = to.split(/(?=#)/);
  const readme = /^\/api\/([a-z-]+)\/$/.exec(path)?.[1];
  if (readme !== undefined) return `${label} (README.md of \`@tillkit/${readme}\`)`;
  const target = files.get(sourceOf(path, source));
  if (target === undefined) return label;
  return `[${label}](${posix.relative(posix.dirname(files.get(source) ?? ""), target)}${anchor.join("")})`;
}

/** The file of the repository to which a link leads. */
function sourceOf(path: string, source: string): string {
  if (!path.startsWith("/")) return posix.join(posix.dirname(source), path);
  const page = path.slice(1);
  return SITE_PAGES[page] ?? `${SITE}/${page}.md`;
}

/** Puts the file or the region in place of `<<< @/path#region{ts} [label]` and `<!--@include: ./path#region-->`. */
function withInclusions(text: string, source: string): string {
  return text
    .replace(/^::: *(?:code-group)?\n+/gm, "")
    .replace(/^<<< *(\S+?)(?:#([\w-]+))?(?:\{(\w*)\})?(?: +\[(.*)\])? *$/gm, (_, path, region, language, label) => {
      const code = `\`\`\`${language ?? ""}\n${included(path, region, source)}\n\`\`\``;
      return label === undefined ? code : `\`${label}\`:\n\n${code}`;
    })
    .replace(/<!-- *@include: *(\S+?)(?:#([\w-]+))? *-->/g, (_, path, region) => included(path, region, source));
}

function included(path: string, region: string | undefined, source: string): string {
  const file = path.startsWith("@/") ? posix.join(SITE, path.slice(2)) : posix.join(posix.dirname(source), path);
  const text = readFileSync(join(repository, file), "utf8");
  const part = region === undefined ? text : regionOf(text, region);
  if (part === undefined) throw new Error(`${source} shows the region ${region} of ${file}, which does not exist.`);
  return part.replace(/^ *(?:\/\/|<!--) #(?:end)?region .*\n?/gm, "").trimEnd();
}

function regionOf(text: string, region: string): string | undefined {
  return new RegExp(`#region ${region}\\b.*\\n([\\s\\S]*?)\\n.*#endregion ${region}\\b`).exec(text)?.[1];
}
