import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { repository, siteFolder } from "../src/folders.ts";

/** A file, or a region of it, that a page shows. */
export type Inclusion = { readonly page: string; readonly file: string; readonly region: string | null };

/** What a page shows of other files: `<<< @/path#region{ts} [label]`, and `<!--@include: ./path#region-->` for Markdown. */
export function inclusionsOf(page: string, text: string): readonly Inclusion[] {
  const snippets = [...text.matchAll(/^<<< *(\S+?)(?:#([\w-]+))?(?:\{[^}]*\})?(?: +\[.*\])? *$/gm)];
  const includes = [...text.matchAll(/<!-- *@include: *(\S+?)(?:#([\w-]+))?(?:\{[^}]*\})? *-->/g)];
  return [...snippets, ...includes].map(([, path = "", region]) => ({
    page,
    file: relative(repository, resolvePath(page, path)),
    region: region ?? null,
  }));
}

/** One sentence for a file or region that is not there. VitePress shows the whole file in silence when a region is missing. */
export function inclusionProblem({ page, file, region }: Inclusion): string | null {
  const path = join(repository, file);
  if (!existsSync(path)) return `${page} shows ${file}, which does not exist.`;
  if (region === null) return null;
  const text = readFileSync(path, "utf8");
  const marks = [`#region ${region}`, `#endregion ${region}`].map(
    (mark) => text.split(new RegExp(`${mark}(?![\\w-])`)).length - 1,
  );
  return marks.every((count) => count === 1)
    ? null
    : `${page} shows the region ${region} of ${file}, which has ${marks[0]} marks where it begins and ${marks[1]} where it ends.`;
}

/** The page with the Markdown of other files in the places where it includes them. */
export function withIncludes(page: string, text: string): string {
  return text.replace(/<!-- *@include: *(\S+?)(?:#([\w-]+))? *-->/g, (_, path: string, region: string | undefined) => {
    const included = readFileSync(resolvePath(page, path), "utf8");
    return region === undefined ? included : regionOf(included, region);
  });
}

/** The lines between the marks of a region. */
export function regionOf(text: string, region: string): string {
  const [, part = ""] =
    new RegExp(`#region ${region}\\b.*\\n([\\s\\S]*?)\\n.*#endregion ${region}\\b`).exec(text) ?? [];
  return part;
}

function resolvePath(page: string, path: string): string {
  return path.startsWith("@/") ? join(siteFolder, path.slice(2)) : resolve(siteFolder, dirname(page), path);
}
